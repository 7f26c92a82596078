"""Authlib with Flask, as in its documentation: a web application that calls an API and keeps its token fresh."""

import os
import uuid
from urllib.parse import urlencode

from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, redirect, session, url_for
from werkzeug.serving import make_server

app = Flask(__name__)
app.secret_key = os.environ['SESSION_SECRET']
tokens = {}  # by session; a real application has a table


def fetch_token(name):
    return tokens.get(session.get('id'))


def update_token(name, token, refresh_token=None, access_token=None):
    tokens[session['id']].update(token)


oauth = OAuth(app, fetch_token=fetch_token, update_token=update_token)
oauth.register(
    'ostiary',
    server_metadata_url=os.environ['ISSUER'] + '/.well-known/openid-configuration',
    client_id=os.environ['CLIENT_ID'],
    client_secret=os.environ['CLIENT_SECRET'],
    client_kwargs={'scope': 'openid profile email notes.read', 'code_challenge_method': 'S256'},
)


@app.route('/')
def home():
    return jsonify(user=session.get('user'))


@app.route('/login')
def login():
    return oauth.ostiary.authorize_redirect(url_for('callback', _external=True))


@app.route('/callback')
def callback():
    token = oauth.ostiary.authorize_access_token()
    session['id'] = str(uuid.uuid4())
    session['user'] = token['userinfo']
    tokens[session['id']] = token
    return redirect('/')


@app.route('/userinfo')
def userinfo():
    return jsonify(oauth.ostiary.userinfo())


@app.route('/notes')
def notes():
    return jsonify(oauth.ostiary.get(os.environ['NOTES_API']).json())


@app.route('/logout')
def logout():
    token = tokens.pop(session['id'])
    session.clear()
    query = {'id_token_hint': token['id_token'], 'post_logout_redirect_uri': url_for('home', _external=True)}
    end_session_endpoint = oauth.ostiary.load_server_metadata()['end_session_endpoint']
    return redirect(end_session_endpoint + '?' + urlencode(query))


if __name__ == '__main__':
    server = make_server('localhost', int(os.environ['PORT']), app, threaded=True)
    print('Listening', flush=True)
    server.serve_forever()
