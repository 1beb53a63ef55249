"""An environment of Harbor without Docker: bubblewrap gives a task its own /app, /logs, /tests and /opt.

The rest of this computer can be read and not written. What `harbor run --env local_environment:LocalEnvironment` does with
it is what it does with a container.
"""

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from typing import override

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentResourceCapabilities

OWN = ("app", "logs", "tests", "opt", "tmp", "installed-agent", "home")


class LocalEnvironment(BaseEnvironment):
    @staticmethod
    @override
    def type() -> str:
        return "local"

    @classmethod
    @override
    def resource_capabilities(cls) -> EnvironmentResourceCapabilities:
        return EnvironmentResourceCapabilities()

    @override
    def _validate_definition(self) -> None:
        pass

    @override
    async def start(self, force_build: bool) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="l2mac-harbor-"))
        for name in OWN:
            (self._root / name).mkdir()
        (self._root / "logs/agent").mkdir()
        await self.ensure_dirs(self._mount_targets())
        shutil.copytree(self.environment_dir / "app", self._root / "app", dirs_exist_ok=True)

    @override
    async def stop(self, delete: bool) -> None:
        if delete:
            shutil.rmtree(self._root)

    def _place(self, path: str) -> Path:
        return self._root / path.lstrip("/")

    @override
    async def upload_file(self, source_path, target_path) -> None:
        # As docker cp does, the folder must be there.
        shutil.copyfile(source_path, self._place(str(target_path)))

    @override
    async def upload_dir(self, source_dir, target_dir) -> None:
        shutil.copytree(source_dir, self._place(str(target_dir)), dirs_exist_ok=True)

    @override
    async def download_file(self, source_path, target_path) -> None:
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self._place(str(source_path)), target_path)

    @override
    async def download_dir(self, source_dir, target_dir) -> None:
        shutil.copytree(self._place(str(source_dir)), target_dir, dirs_exist_ok=True)

    def _sealed(self, command: str, cwd: str) -> list[str]:
        sealed = ["bwrap", "--proc", "/proc", "--dev", "/dev", "--die-with-parent", "--unshare-pid", "--chdir", cwd]
        for entry in sorted(Path("/").iterdir()):
            path = str(entry)
            if entry.name in (*OWN, "proc", "dev", "sys"):
                continue
            sealed += ["--symlink", os.readlink(path), path] if entry.is_symlink() else ["--ro-bind", path, path]
        for name in OWN:
            sealed += ["--bind", str(self._root / name), f"/{name}"]
        return [*sealed, "bash", "-c", command]

    @override
    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None) -> ExecResult:
        with self._place("/logs/agent/commands.txt").open("a") as commands:
            commands.write(f"{command}\n")
        process = await asyncio.create_subprocess_exec(
            *self._sealed(command, cwd or "/app"),
            env={"PATH": os.environ["PATH"], "HOME": "/home", **(self._merge_env(env) or {})},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            stdout, stderr = await asyncio.wait_for(process.communicate(), timeout_sec)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return ExecResult(
            stdout=stdout.decode(errors="replace"),
            stderr=stderr.decode(errors="replace"),
            return_code=process.returncode,
        )
