"""An API that introspects each token (RFC 7662), with Authlib's ResourceProtector and requests."""

import os

import requests
from authlib.integrations.flask_oauth2 import ResourceProtector, current_token
from authlib.oauth2.rfc7662 import IntrospectTokenValidator
from flask import Flask, jsonify
from werkzeug.serving import make_server


class Introspection(IntrospectTokenValidator):
    def introspect_token(self, token_string):
        response = requests.post(
            os.environ['ISSUER'] + '/oauth/introspect',
            data={'token': token_string},
            auth=(os.environ['CLIENT_ID'], os.environ['CLIENT_SECRET']),
        )
        response.raise_for_status()
        return response.json()


require_oauth = ResourceProtector()
require_oauth.register_token_validator(Introspection())
app = Flask(__name__)


@app.route('/notes')
@require_oauth('notes.read')
def notes():
    return jsonify(reader=current_token['client_id'], notes=['Buy milk'])


if __name__ == '__main__':
    server = make_server('localhost', int(os.environ['PORT']), app, threaded=True)
    print('Listening', flush=True)
    server.serve_forever()
