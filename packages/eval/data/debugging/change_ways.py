"""Returns in how many ways coins of these kinds make an amount."""


def change_ways(amount, coins):
    ways = [1] + [0] * amount
    for coin in coins:
        for reached in range(coin, amount + 1):
            ways[reached] += ways[reached - coin]  # broken: ways[reached] = ways[reached - coin]
    return ways[amount]

# case: ((5, [1, 2, 5]), 4)
# case: ((3, [2]), 0)
# case: ((0, [1]), 1)
# case: ((10, [2, 5, 3, 6]), 5)
