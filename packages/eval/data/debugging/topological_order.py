"""Returns the nodes of a graph, given by what each needs, so that each comes after what it needs; ties by name."""


def topological_order(needs):
    order, left = [], dict(needs)
    while left:
        ready = sorted(node for node in left if all(need in order for need in left[node]))
        if not ready:
            return []
        order.append(ready[0])
        del left[ready[0]]  # broken: left.popitem()
    return order

# case: (({'c': ['a', 'b'], 'a': [], 'b': ['a']},), ['a', 'b', 'c'])
# case: (({'a': ['b'], 'b': ['a']},), [])
# case: (({},), [])
