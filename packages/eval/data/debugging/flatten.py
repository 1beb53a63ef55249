"""Returns the values of nested lists in their order, in one list."""


def flatten(values):
    flat = []
    for value in values:
        if isinstance(value, list):
            flat.extend(flatten(value))  # broken: flat.append(flatten(value))
        else:
            flat.append(value)
    return flat

# case: (([1, [2, [3, []]], 4],), [1, 2, 3, 4])
# case: (([],), [])
# case: (([[['a']]],), ['a'])
