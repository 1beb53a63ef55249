"""Returns the primes up to a number, in ascending order."""


def sieve(most):
    primes = []
    for number in range(2, most + 1):  # broken: for number in range(2, most):
        if all(number % prime for prime in primes):
            primes.append(number)
    return primes

# case: ((11,), [2, 3, 5, 7, 11])
# case: ((1,), [])
# case: ((2,), [2])
