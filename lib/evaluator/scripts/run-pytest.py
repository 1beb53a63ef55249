"""Runs pytest with its arguments as they are. Standard input: where to report, and the key to seal that with."""

import os
import sys

#: What versions of pytest are made of: where the project is one of these, it is the project's that counts.
PARTS = {"pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "exceptiongroup", "tomli", "py", "attr"}
PARTS |= {"attrs", "colorama", "typing_extensions", "six", "more_itertools", "wcwidth", "atomicwrites", "toml", "zipp"}


def is_part_of_pytest(folder):
    places = [os.path.join(folder, name) for name in PARTS]
    return any(os.path.isfile(place + ".py") or os.path.isfile(os.path.join(place, "__init__.py")) for place in places)


def main():
    import l2mac_report as report

    order = report.read_order()
    emit = report.open_report(order["report"], order["key"])
    if "EDITABLE_LATER" in os.environ:
        sys.path[1:1] = [folder for folder in order["folders"] if is_part_of_pytest(folder)]
    import pytest
    from l2mac_ignored import overlooked
    from l2mac_pytest import create_plugin

    try:
        import pytest.__main__ as stands_for
    except ImportError:  # Of old it is a module, and that is what is run.
        stands_for = pytest
    plugin = create_plugin(emit, order["files"], order.get("plugin"))
    configs = []

    class Keep:
        def pytest_configure(self, config):
            configs.append(config)

    named = overlooked(order["files"]) if order.get("everything") else []
    report.take_place(stands_for, order["folders"])
    sys.argv[0] = stands_for.__file__
    status = int(pytest.main([*order["options"], *sys.argv[1:], *named], plugins=[plugin, Keep()]))
    plugin.finish(status, configs[0] if configs else None)
    emit(event="end", exit=status)
    sys.stdout.flush()
    sys.exit(status)


if __name__ == "__main__":
    main()
