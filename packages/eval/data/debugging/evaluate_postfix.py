"""Returns the value of an expression in postfix notation with + - * and whole numbers."""


def evaluate_postfix(tokens):
    stack = []
    for token in tokens:
        if token in ("+", "-", "*"):
            second, first = stack.pop(), stack.pop()  # broken: first, second = stack.pop(), stack.pop()
            stack.append({"+": first + second, "-": first - second, "*": first * second}[token])
        else:
            stack.append(int(token))
    return stack[0]

# case: ((['5', '3', '-'],), 2)
# case: ((['2', '3', '4', '*', '+'],), 14)
# case: ((['7'],), 7)
