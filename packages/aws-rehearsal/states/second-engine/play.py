"""Plays state machines on moto's interpreter of the States Language, in process and without waiting.

Reads {"plays": [{"definition", "input", "tasks", "answers"}]} from standard input and writes a list of traces. A task
is answered from its list, the last entry over and over: {"answer": JSON}, {"error": NAME, "message": TEXT} or
{"never": true}, which is a time-out of the state.
"""

import functools
import json
import logging
import os
import random
import sys
import threading

os.environ.update(AWS_ACCESS_KEY_ID="ak", AWS_SECRET_ACCESS_KEY="sk", AWS_DEFAULT_REGION="us-east-1")

import boto3
import jsonata
from botocore.exceptions import ClientError
from moto import mock_aws
from moto.stepfunctions.parser.asl.component.common.retry import retrier_decl
from moto.stepfunctions.parser.asl.component.common.timeouts.timeout import EvalTimeoutError
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service import state_task_service_sfn
from moto.stepfunctions.parser.asl.component.state.wait.wait_function import wait_function
from moto.stepfunctions.parser.asl.eval import states as state_variables
from moto.stepfunctions.parser.asl.eval import variable_store
from moto.stepfunctions.parser.asl.utils.encoding import to_json_str
from moto.stepfunctions.parser.asl.jsonata import jsonata as jsonata_bridge
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser
from moto.stepfunctions.parser.backend import execution as executions

START = "arn:aws:states:::states:startExecution"


class Play:
    """The play that is on, and what it has done so far."""

    def __init__(self, play):
        self.answers = play["answers"]
        self.given = {}
        self.calls = []
        self.slept = []
        self.over = threading.Event()

    def answer(self, task, payload):
        answers = self.answers.get(task, [{"answer": {}}])
        count = self.given.get(task, 0)
        self.given[task] = count + 1
        self.calls.append({"task": task, "payload": payload})
        answer = answers[min(count, len(answers) - 1)]
        if answer.get("never"):
            raise EvalTimeoutError()
        return answer


class Sleeper:
    """Stands in for the module `time`: notes each sleep, and does not sleep."""

    @staticmethod
    def sleep(seconds):
        on.slept.append(seconds)


on = None


def evaluate(expression):
    """moto leaves its JSONata out; this one is a port of the reference to Python. None makes moto look why."""
    try:
        return jsonata.Jsonata(expression).evaluate(None)
    except jsonata.jexception.JException:
        return None


def declare(bindings):
    """moto puts strings into the expression without escaping them."""
    return "".join(f"{name}:={to_json_str(value)};" for name, value in bindings.items())


def task_of(name, payload):
    """Each lane has a script of its own: what they do at the same time has no order."""
    return f"{name}/{payload['lane']}" if isinstance(payload, dict) and "lane" in payload else name


def invoke(parameters, region, state_credentials):
    payload = json.loads(parameters.get("Payload", b"{}"))
    name = parameters["FunctionName"]
    if name not in on.answers:
        refusal = {"Code": "ResourceNotFoundException", "Message": f"Function not found: {name}"}
        about = {"HTTPStatusCode": 404, "RequestId": "r"}
        raise ClientError({"Error": refusal, "ResponseMetadata": about}, "Invoke")
    answer = on.answer(task_of(name, payload), payload)
    if "error" not in answer:
        return {"StatusCode": 200, "Payload": answer["answer"]}
    thrown = {"errorType": answer["error"], "errorMessage": answer["message"], "trace": []}
    return {"StatusCode": 200, "FunctionError": "Unhandled", "Payload": thrown}


def start_execution(self, env, resource_runtime_part, normalised_parameters, state_credentials):
    given = {name[0].upper() + name[1:]: value for name, value in normalised_parameters.items()}
    given["Input"] = json.loads(given["Input"])
    answer = on.answer(START, given)
    if "error" in answer:
        code = answer["error"].removeprefix("StepFunctions.").removesuffix("Exception")
        about = {"HTTPStatusCode": 400, "RequestId": "r"}
        raise ClientError({"Error": {"Code": code, "Message": answer["message"]}, "ResponseMetadata": about}, "Start")
    env.stack.append({"ExecutionArn": "arn:aws:states:us-east-1:123456789012:execution:next", "StartDate": 0})


def wait(self, env, wait_seconds):
    on.slept.append(wait_seconds)


jsonata_bridge._eval_jsonata = evaluate
state_variables.encode_jsonata_variable_declarations = declare
variable_store.encode_jsonata_variable_declarations = declare
lambda_eval_utils._invoke_lambda_function = invoke
state_task_service_sfn.StateTaskServiceSfn._eval_service_task = start_execution
wait_function.WaitFunction._wait_interval = wait
retrier_decl.time = Sleeper
random.uniform = lambda least, most: most  # The longest of jittered delays.

# The same definition is played often, and slow to read.
AmazonStateLanguageParser.parse = staticmethod(functools.cache(AmazonStateLanguageParser.parse))

# Says when an execution has ended, so that nothing is polled.
reflect = executions.BaseExecutionWorkerCommunication.terminated


def terminated(self):
    reflect(self)
    on.over.set()


executions.BaseExecutionWorkerCommunication.terminated = terminated


def is_repeated(event, before):
    return event["type"] == "EvaluationFailed" == before.get("type")


def play_on(client, number, play):
    global on
    on = Play(play)
    try:
        machine = client.create_state_machine(
            name=f"machine-{number}", definition=play["definition"], roleArn="arn:aws:iam::123456789012:role/r"
        )
    except ClientError as error:
        return {"refused": error.response["Error"]["Message"]}
    started = client.start_execution(
        stateMachineArn=machine["stateMachineArn"], name=f"x-{number}", input=json.dumps(play["input"])
    )
    arn = started["executionArn"]
    if not on.over.wait(5):
        return {"refused": f"it does not end: {json.dumps(on.calls[-9:])}"}
    events = client.get_execution_history(executionArn=arn, maxResults=1000)["events"]
    # moto notes the failed evaluation of a task twice.
    events = [event for event, before in zip(events, [{}, *events]) if not is_repeated(event, before)]
    last = events[-1] if events else {}
    ended = client.describe_execution(executionArn=arn)
    return {
        "states": [event["stateEnteredEventDetails"]["name"] for event in events if "stateEnteredEventDetails" in event],
        "calls": on.calls,
        "slept": on.slept,
        "status": ended["status"],
        "output": json.loads(last.get("executionSucceededEventDetails", {}).get("output", "null")),
        "error": ended.get("error"),
        "cause": ended.get("cause"),
        "events": len(events),
    }


def main():
    plays = json.load(sys.stdin)["plays"]
    out, sys.stdout = sys.stdout, sys.stderr
    logging.disable()
    with mock_aws(config={"stepfunctions": {"execute_state_machine": True}}):
        client = boto3.client("stepfunctions")
        json.dump([play_on(client, number, play) for number, play in enumerate(plays)], out)


main()
