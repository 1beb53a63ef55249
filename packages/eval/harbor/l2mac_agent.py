"""L2MAC as an agent of Harbor (https://harborframework.com), which runs Terminal-Bench and other benchmarks.

harbor run --agent l2mac_agent:L2mac, with this folder in PYTHONPATH. See docs/evaluation.md.
"""

import asyncio
import json
import shlex
from pathlib import Path
from typing import Annotated, Literal, override

from pydantic import Field

from harbor.agents.agent_auth_resolution import (
    MissingModelCredentialError,
    ModelConnectionSpec,
    ProviderAccess,
)
from harbor.agents.capabilities import AgentCapabilities
from harbor.agents.installed.base import BaseInstalledAgent, with_prompt_template
from harbor.agents.installed.node_install import nvm_node_install_snippet
from harbor.agents.options import Env, InstalledAgentOptions
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

PREFIX = "/opt/l2mac"
# Whatever the image has in its PATH, l2mac runs with its own Node.
ON_PATH = f'export PATH="{PREFIX}/bin:$PATH"'
NODE_MAJOR = 24
HAS_NODE = (
    "command -v npm >/dev/null && node -e "
    "'const [a, b] = process.versions.node.split(\".\"); process.exit(a > 22 || (a == 22 && b >= 16) ? 0 : 1)'"
)
KEY_NAMES = {
    "anthropic": "ANTHROPIC_API_KEY",
    "gemini": "GEMINI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "openai": "OPENAI_API_KEY",
}
# Completed but not all proven, stuck, a ceiling in US dollars, tokens, turns or time: what was accepted is the answer.
ENDED_BY_ITSELF = "1|5|7|8"


class L2macOptions(InstalledAgentOptions):
    package: str | None = Field(
        default=None,
        description="The packed l2mac-*.tgz, or anything else that npm installs.",
    )
    reasoning_effort: Annotated[Literal["low", "medium", "high"] | None, Env("L2MAC_EFFORT")] = Field(
        default=None, description="How much the model thinks before it answers."
    )
    budget: Annotated[str | None, Env("L2MAC_BUDGET")] = Field(
        default=None, description="Maximum cost of a trial in US dollars (default 5)."
    )
    max_tokens: Annotated[str | None, Env("L2MAC_MAX_TOKENS")] = Field(
        default=None, description="Maximum tokens of a trial, input and output together."
    )
    max_turns: Annotated[str | None, Env("L2MAC_MAX_TURNS")] = Field(
        default=None, description="Maximum number of model calls of a trial."
    )
    max_minutes: Annotated[str | None, Env("L2MAC_MAX_MINUTES")] = Field(
        default=None, description="Maximum minutes of a trial: less than the task's timeout."
    )
    evidence: Annotated[Literal["off", "own", "independent", "strict"] | None, Env("L2MAC_EVIDENCE")] = Field(
        default=None, description="How requirements are proven (default own)."
    )
    price: Annotated[str | None, Env("L2MAC_PRICE")] = Field(
        default=None, description="IN,OUT: US dollars per million tokens of a model that l2mac does not know."
    )
    context_window: Annotated[str | None, Env("L2MAC_CONTEXT_WINDOW")] = Field(
        default=None, description="Tokens in the context window of a model that l2mac does not know."
    )


class L2mac(BaseInstalledAgent):
    capabilities = AgentCapabilities(atif=True, base_url=True, reasoning_effort=True)
    options_model = L2macOptions
    options: L2macOptions
    MODEL_CONNECTION = ModelConnectionSpec(
        default_provider="openai",
        agent_provider_access=ProviderAccess(base_url_candidate_names=["OPENAI_BASE_URL", "OPENAI_API_BASE"]),
        api_key_destination_names=KEY_NAMES,
        base_url_destination_names={"default": "OPENAI_BASE_URL"},
    )

    @staticmethod
    @override
    def name() -> str:
        return "l2mac"

    @classmethod
    @override
    def preflight(cls, kwargs=None, env=None) -> None:
        super().preflight(kwargs, env)
        options = cls.parse_options(kwargs, env)
        if options.package is None and not options.skip_install:
            raise ValueError(
                "l2mac is in no registry: run npm pack in a clone and give --ak package=l2mac-VERSION.tgz, "
                "or --ak skip_install=true for an image that has it."
            )
        if options.package and options.package.endswith(".tgz") and "://" not in options.package:
            if not Path(options.package).is_file():
                raise ValueError(f"There is no package {options.package}. Run npm pack in a clone of l2mac.")

    @classmethod
    @override
    def check_model_credentials(cls, connection, *, kwargs, env, explicit_env=None) -> None:
        name = KEY_NAMES.get(connection.provider or "")
        has_access = connection.api_key or connection.user_supplied_base_url
        if name and not has_access and kwargs.get("model_name") != "rehearsal":
            raise MissingModelCredentialError(f"Set {name} for the model {kwargs.get('model_name')}.")

    @override
    def get_version_command(self) -> str | None:
        return f"{ON_PATH}; l2mac version"

    @override
    def parse_version(self, stdout: str) -> str:
        return stdout.split()[-1]

    @override
    async def install(self, environment: BaseEnvironment) -> None:
        await self.exec_as_root(environment, command=f"mkdir -p {PREFIX}/bin")
        package = self.options.package or ""
        if Path(package).is_file():
            uploaded = f"{PREFIX}/{Path(package).name}"
            await environment.upload_file(Path(package), uploaded)
            package = uploaded
        has_node = await environment.exec(command=HAS_NODE, user="root")
        if has_node.return_code != 0:
            await self.ensure_system_dependencies(environment, ("curl", "bash"))
            await self.exec_as_root(
                environment,
                # Its own folder is the home, so that a home that is the task's working directory stays as it was.
                command=f"unset NVM_DIR XDG_CONFIG_HOME; export HOME={PREFIX}; {nvm_node_install_snippet(NODE_MAJOR)} && "
                f'ln -sf "$(command -v node)" "$(command -v npm)" {PREFIX}/bin/',
            )
        await self.exec_as_root(
            environment,
            command=f"{ON_PATH}; npm install --global --no-audit --no-fund --cache {PREFIX}/cache --prefix {PREFIX} "
            f"{shlex.quote(package)} && rm -rf {PREFIX}/cache && "
            f"chmod -R a+rX {PREFIX} && l2mac version",
        )

    @override
    async def configure(self, environment: BaseEnvironment) -> None:
        await self.exec_as_root(environment, command=f"mkdir -p {PREFIX}")
        script = Path(__file__).with_name("apply-changes.mjs")
        await environment.upload_file(script, f"{PREFIX}/{script.name}")
        await self.exec_as_root(environment, command=f"chmod a+r {PREFIX}/{script.name}")

    def _model(self) -> str | None:
        """A server of the user's own knows a model by the name behind `openai/`; gateways by the whole one."""
        connection = self.model_connection
        is_own = connection.user_supplied_base_url and connection.provider == "openai"
        return connection.model_id if is_own else self.model_name

    def _environment(self, instruction: str) -> dict[str, str]:
        connection = self.model_connection
        env = {
            **self._resolved_env_vars,
            **connection.env,
            "L2MAC_HOME": str(self.environment_logs_dir / "l2mac"),
            # The container is the sandbox. Where bubblewrap works in it, generated code is sealed all the same.
            "L2MAC_UNSEALED": "1",
            "HARBOR_INSTRUCTION": instruction,
        }
        if model := self._model():
            env["L2MAC_MODEL"] = model
        if connection.user_supplied_base_url and connection.api_key:
            env["OPENAI_API_KEY"] = connection.api_key
        return env

    @override
    @with_prompt_template
    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        log = shlex.quote(str(self.environment_logs_dir / "l2mac.txt"))
        env = self._environment(instruction)
        try:
            await self.exec_as_agent(
                environment,
                command=f"{ON_PATH}; "
                'start="--from ."; [ "$PWD" != / ] || start=--new; '
                "printf '%s' \"$HARBOR_INSTRUCTION\" | "
                f'l2mac run --spec - $start --allow-secrets --out "$(mktemp -d)/result" >{log} 2>&1; '
                f"code=$?; tail -n 40 {log}; case $code in {ENDED_BY_ITSELF}) code=0;; esac; exit $code",
                env=env,
            )
        except asyncio.CancelledError:
            # The task's timeout. In a container the command goes on, also when the client that started it has ended.
            await environment.exec(command=f"{ON_PATH}; l2mac cancel", env=env)
            raise
        finally:
            # However it ended, what was accepted until then is the answer.
            await self._deliver(environment, env)

    async def _deliver(self, environment: BaseEnvironment, env: dict[str, str]) -> None:
        trajectory = shlex.quote(str(self.environment_logs_dir / "trajectory.json"))
        commands = {
            "deliver the files": 'files=$(mktemp -d) && l2mac get --out "$files/tree" && '
            'l2mac diff --stat --json >"$files/changes.jsonl" && '
            f'node {PREFIX}/apply-changes.mjs "$files" . && rm -r "$files"',
            "export the trajectory": f"l2mac export --format atif >{trajectory} || {{ rm -f {trajectory}; false; }}",
        }
        for what, command in commands.items():
            result = await environment.exec(command=f"{ON_PATH}; {command}", env=env)
            if result.return_code != 0:
                self.logger.warning("l2mac could not %s: %s", what, result.stderr or result.stdout)

    @override
    def populate_context_post_run(self, context: AgentContext) -> None:
        path = self.logs_dir / "trajectory.json"
        if not path.is_file():
            return
        trajectory = json.loads(path.read_text(encoding="utf-8"))
        totals = trajectory.get("final_metrics") or {}
        context.n_input_tokens = totals.get("total_prompt_tokens")
        context.n_output_tokens = totals.get("total_completion_tokens")
        context.n_cache_tokens = totals.get("total_cached_tokens")
        context.cost_usd = totals.get("total_cost_usd")
        context.metadata = {"run": trajectory["session_id"], **(trajectory.get("extra") or {})}
