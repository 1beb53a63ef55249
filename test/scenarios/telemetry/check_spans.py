"""Reads a trace with the published messages and names of OpenTelemetry, which others wrote.

Usage: check_spans.py BODY.json. Prints what it says, and what is wrong with it, as JSON.
"""

import base64
import json
import sys

from google.protobuf.json_format import MessageToDict, ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as gen_ai
from opentelemetry.semconv.attributes import error_attributes, service_attributes

KNOWN = {
    value
    for module in (gen_ai, error_attributes, service_attributes)
    for name, value in vars(module).items()
    if isinstance(value, str) and not name.startswith("__")
}
OPERATIONS = {each.value for each in gen_ai.GenAiOperationNameValues}


def with_bytes(part):
    """OTLP writes ids as hexadecimal where JSON of Protocol Buffers has base64."""
    if isinstance(part, list):
        return [with_bytes(each) for each in part]
    if not isinstance(part, dict):
        return part
    ids = ("traceId", "spanId", "parentSpanId")
    return {
        key: base64.b64encode(bytes.fromhex(value)).decode() if key in ids else with_bytes(value)
        for key, value in part.items()
    }


with open(sys.argv[1], encoding="utf-8") as file:
    # It refuses fields that the messages lack.
    request = ParseDict(with_bytes(json.load(file)), ExportTraceServiceRequest())

wrong = []
spans = [span for group in request.resource_spans for scope in group.scope_spans for span in scope.spans]
for span in spans:
    if len(span.trace_id) != 16 or len(span.span_id) != 8 or len(span.parent_span_id) not in (0, 8):
        wrong.append(f"{span.name} has an id of a wrong length")
    if not any(span.trace_id) or not any(span.span_id):
        wrong.append(f"{span.name} has an id of zeros")
    for attribute in span.attributes:
        if not attribute.key.startswith("l2mac.") and attribute.key not in KNOWN:
            wrong.append(f"{attribute.key} is no name of the conventions")
        if attribute.key == gen_ai.GEN_AI_OPERATION_NAME and attribute.value.string_value not in OPERATIONS:
            wrong.append(f"{attribute.value.string_value} is no operation of the conventions")
print(json.dumps({"wrong": sorted(set(wrong)), "spans": len(spans),
                  "resource": MessageToDict(request.resource_spans[0].resource)}))
