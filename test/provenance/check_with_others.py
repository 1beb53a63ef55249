"""Checks a manifest with the libraries of in-toto, SLSA's model of it, and TUF's keys.

Usage: check_with_others.py MANIFEST KEY. Prints one line a check, and fails at the first that does not hold.
"""

import base64
import json
import sys

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from google.protobuf.json_format import ParseDict
from in_toto_attestation.predicates.provenance.v1 import provenance_pb2
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
from in_toto_attestation.v1.statement import Statement
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

manifest_path, key_path = sys.argv[1:3]
with open(manifest_path, encoding="utf-8") as file:
    manifest = json.load(file)
with open(key_path, "rb") as file:
    public = load_pem_public_key(file.read())

# The envelope, and its signature over type and payload.
key = SSlibKey.from_crypto(public)
key.keyid = manifest["signatures"][0]["keyid"]
envelope = Envelope.from_dict(json.loads(json.dumps(manifest)))
assert list(envelope.verify([key], 1)) == [key.keyid]
print("securesystemslib: the envelope's signature is valid")

payload = base64.b64decode(manifest["payload"])
changed = json.loads(payload)
changed["subject"][0]["digest"]["sha256"] = "0" * 64
forged = dict(manifest, payload=base64.b64encode(json.dumps(changed).encode()).decode())
try:
    Envelope.from_dict(forged).verify([key], 1)
except VerificationError:
    print("securesystemslib: a changed statement is refused")
else:
    raise AssertionError("a changed statement was accepted")

# Unknown fields are errors for the parser of protocol buffers.
statement = json.loads(payload)
parsed = ParseDict(statement, statement_pb2.Statement())
Statement.copy_from_pb(parsed).validate()
print(f"in-toto-attestation: a Statement of version 1 with {len(parsed.subject)} subjects")

provenance = ParseDict(statement["predicate"], provenance_pb2.Provenance())
for resource in [*provenance.build_definition.resolved_dependencies, *provenance.run_details.byproducts]:
    ResourceDescriptor.copy_from_pb(resource).validate()
assert provenance.build_definition.build_type and provenance.run_details.builder.id
print("in-toto-attestation: a Provenance of SLSA version 1")
