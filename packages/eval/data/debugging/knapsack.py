"""Returns the greatest value of items, each (weight, value) and taken at most once, within a weight."""


def knapsack(capacity, items):
    best = [0] * (capacity + 1)
    for weight, value in items:
        for room in range(capacity, weight - 1, -1):  # broken: for room in range(weight, capacity + 1):
            best[room] = max(best[room], best[room - weight] + value)
    return best[capacity]

# case: ((10, [(5, 10), (4, 40), (6, 30)]), 70)
# case: ((4, [(2, 3)]), 3)
# case: ((0, [(1, 1)]), 0)
