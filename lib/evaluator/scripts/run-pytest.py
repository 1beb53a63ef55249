"""Runs pytest with its arguments as they are. Standard input: where to report, and the key to seal that with."""

import sys


def main():
    import importlib.util

    import l2mac_report as report

    order = report.read_order()
    emit = report.open_report(order["report"], order["key"])
    import pytest
    import pytest.__main__ as stands_for
    from l2mac_pytest import create_plugin

    plugin = create_plugin(emit, order["files"])
    configs = []

    class Keep:
        def pytest_configure(self, config):
            configs.append(config)

    report.take_place(stands_for, order["folders"])
    sys.argv[0] = stands_for.__file__
    # Workers would report to each other, and not to us.
    alone = ["-n", "0"] if importlib.util.find_spec("xdist") else []
    status = int(pytest.main([*order["options"], *alone, *sys.argv[1:]], plugins=[plugin, Keep()]))
    plugin.finish(status, configs[0] if configs else None)
    emit(event="end", exit=status)
    sys.stdout.flush()
    sys.exit(status)


if __name__ == "__main__":
    main()
