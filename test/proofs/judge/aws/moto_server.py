"""moto on loopback: its port, and the one at which the functions of its state machines are invoked.

Its threads see half of each other's transactions and lose writes, so it gets one request at a time. Its parser of
conditions knows no line breaks. Its Step Functions execute state machines, but it brings no evaluator of their
expressions, and its functions need Docker.
"""

import json
import sys
import urllib.request

from jsonata import Jsonata
from moto.core.config import default_user_config
from moto.dynamodb.comparisons import ConditionExpressionParser
from moto.server import DomainDispatcherApplication, create_backend_app
from moto.stepfunctions import models
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.jsonata import jsonata
from moto.stepfunctions.parser.models import stepfunctions_parser_backends
from werkzeug.serving import run_simple

port, functions_port = (int(argument) for argument in sys.argv[1:])

read_node = ConditionExpressionParser._lex_one_node
ConditionExpressionParser._lex_one_node = lambda self, rest: read_node(self, rest.replace("\n", " "))

default_user_config["stepfunctions"]["execute_state_machine"] = True
# Its CloudFormation makes machines that are never executed.
models.stepfunctions_backends = stepfunctions_parser_backends
jsonata._eval_jsonata = lambda expression: Jsonata(expression).evaluate(None)


def invoke(parameters, region, state_credentials):
    """Invoke a function where it runs: its answer is {payload} or {error}."""
    url = f"http://127.0.0.1:{functions_port}/{parameters['FunctionName']}"
    with urllib.request.urlopen(urllib.request.Request(url, parameters["Payload"])) as reply:
        answer = json.load(reply)
    failed = {"FunctionError": "Unhandled"} if "error" in answer else {}
    return {
        "StatusCode": 200,
        "ExecutedVersion": "1",
        "Payload": answer.get("error", answer.get("payload")),
        **failed,
    }


lambda_eval_utils._invoke_lambda_function = invoke
run_simple("127.0.0.1", port, DomainDispatcherApplication(create_backend_app), threaded=False)
