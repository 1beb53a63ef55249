"""Sizes in bytes, as people write and read them."""

UNITS = ("B", "KB", "MB", "GB", "TB")


def human(count: int) -> str:
    """1536 is 1.5 KB; bytes have no fraction."""
    size = float(count)
    for unit in UNITS:
        if size < 1024 or unit == UNITS[-1]:
            break
        size /= 1024
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"


def parse_size(text: str) -> int:
    """10k, 1.5 MB and 300 are sizes; what is not one raises ValueError."""
    letters = text.strip().upper().removesuffix("B")
    power = 0
    if letters[-1:] in ("K", "M", "G", "T"):
        power = "KMGT".index(letters[-1]) + 1
        letters = letters[:-1]
    count = float(letters)
    if not 0 <= count < float("inf"):
        raise ValueError(f"{text!r} is not a size")
    return int(count * 1024**power)
