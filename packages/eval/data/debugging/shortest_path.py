"""Returns the length of the shortest path in a graph of weighted edges, or -1."""

import heapq


def shortest_path(edges, start, end):
    queue = [(0, start)]
    done = set()
    while queue:
        length, node = heapq.heappop(queue)
        if node == end:
            return length
        if node in done:
            continue
        done.add(node)
        for first, second, weight in edges:
            if first == node:
                heapq.heappush(queue, (length + weight, second))  # broken: heapq.heappush(queue, (weight, second))
    return -1

# case: (([('a', 'b', 2), ('b', 'c', 2), ('a', 'c', 5)], 'a', 'c'), 4)
# case: (([('a', 'b', 1)], 'b', 'a'), -1)
# case: (([], 'a', 'a'), 0)
