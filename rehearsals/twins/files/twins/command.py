"""The command: twins FOLDER."""

import argparse
import sys
from typing import List, Optional

from twins.groups import find_groups
from twins.report import as_json, as_text
from twins.scan import scan
from twins.sizes import parse_size


def main(argv: Optional[List[str]] = None, out=None, err=None) -> int:
    """Exit code 0: no copies, 1: copies, 2: something could not be read."""
    out = out or sys.stdout
    err = err or sys.stderr
    wishes = parser().parse_args(argv)
    troubles = []

    def trouble(error: OSError) -> None:
        troubles.append(error)
        print(f"twins: {error.filename}: {error.strerror}", file=err)

    files = scan(wishes.folder, min_size=wishes.min_size, hidden=wishes.hidden, trouble=trouble)
    groups = find_groups(files, trouble=trouble)
    print(as_json(groups) if wishes.json else as_text(groups), file=out)
    if troubles:
        return 2
    return 1 if groups else 0


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="twins", description="Finds files with equal content below a folder.")
    result.add_argument("folder", nargs="?", default=".")
    result.add_argument("--min-size", type=parse_size, default=1, metavar="SIZE", help="such as 10k or 1.5M")
    result.add_argument("--hidden", action="store_true", help="look into hidden files and folders too")
    result.add_argument("--json", action="store_true", help="report in JSON")
    return result
