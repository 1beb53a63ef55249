"""What was found, for people and for programs."""

import json
from typing import List

from twins.groups import Group
from twins.sizes import human


def as_text(groups: List[Group]) -> str:
    """Each group with its paths below it, and the sum at the end."""
    if not groups:
        return "No copies."
    blocks = []
    for group in groups:
        head = f"{len(group.paths)} × {human(group.size)}, {human(group.wasted)} could be freed"
        blocks.append("\n".join([head, *(f"  {path}" for path in group.paths)]))
    total = human(sum(group.wasted for group in groups))
    return "\n\n".join([*blocks, f"In all {total} could be freed."])


def as_json(groups: List[Group]) -> str:
    found = [{"size": group.size, "wasted": group.wasted, "paths": list(group.paths)} for group in groups]
    return json.dumps({"groups": found, "wasted": sum(group.wasted for group in groups)}, indent=2)
