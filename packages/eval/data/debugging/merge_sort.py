"""Returns a list in ascending order."""


def merge_sort(values):
    if len(values) <= 1:
        return list(values)
    middle = len(values) // 2
    left, right = merge_sort(values[:middle]), merge_sort(values[middle:])
    merged = []
    while left and right:
        merged.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return merged + left + right  # broken: return merged + left

# case: (([3, 1, 2],), [1, 2, 3])
# case: (([5, 5, 1],), [1, 5, 5])
# case: (([],), [])
# case: (([1, 2],), [1, 2])
