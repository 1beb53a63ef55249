"""Returns overlapping and touching intervals merged, in ascending order."""


def overlaps(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))  # broken: merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged

# case: (([(1, 9), (2, 3), (10, 12)],), [(1, 9), (10, 12)])
# case: (([(1, 2), (2, 4)],), [(1, 4)])
# case: (([],), [])
