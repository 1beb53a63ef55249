"""Reads a trajectory with the models of Harbor, which others wrote. Usage: check_trajectory.py FILE."""

import sys

from harbor.models.trajectories import Trajectory

with open(sys.argv[1], encoding="utf-8") as file:
    trajectory = Trajectory.model_validate_json(file.read())
print(f"{len(trajectory.steps)} {len(trajectory.subagent_trajectories or [])}")
