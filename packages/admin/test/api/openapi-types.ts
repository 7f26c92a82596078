export interface paths {
    "/realms/{realm}/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List clients, sorted by client_id
         * @description Scope admin.clients:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["clients.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/clients/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A client
         * @description Scope admin.clients:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["clients.get"];
        /**
         * Create a client, or replace all that is set of it
         * @description Scope admin.clients:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        put: operations["clients.put"];
        post?: never;
        /**
         * Delete a client with its grants and the consents to it
         * @description Scope admin.clients:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        delete: operations["clients.delete"];
        options?: never;
        head?: never;
        /**
         * Change members of a client; null is the default
         * @description Scope admin.clients:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        patch: operations["clients.patch"];
        trace?: never;
    };
    "/realms/{realm}/clients/{client_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a client a new secret; the old one is refused at once
         * @description Scope admin.clients:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["clients.secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/clients/{client_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a client for good
         * @description Scope admin.clients:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["clients.revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/client-documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stored metadata documents of clients, sorted by client_id
         * @description Scope admin.clients:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["client_documents.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/clients/{client_id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The stored metadata document of a client
         * @description Scope admin.clients:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["client_documents.get"];
        put?: never;
        post?: never;
        /**
         * Forget the stored metadata document of a client: each user is asked for consent again
         * @description Scope admin.clients:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        delete: operations["clients.forget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/registration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the configuration lets clients do by themselves
         * @description Scope admin.clients:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["registration.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/upstreams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the other providers
         * @description Scope admin.realms:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["upstreams.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/upstreams/{upstream}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description Scope admin.realms:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["upstreams.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/upstreams/{upstream}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a provider for its discovery document and keys, and say what is wrong
         * @description Scope admin.realms:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["upstreams.check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["users.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["users.get"];
        /**
         * Create a user, who has no way to sign in yet, or replace all that is set of one
         * @description Scope admin.users:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        put: operations["users.put"];
        post?: never;
        /**
         * Delete a user with everything that is stored about the user
         * @description Scope admin.users:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        delete: operations["users.delete"];
        options?: never;
        head?: never;
        /**
         * Change members of a user
         * @description Scope admin.users:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        patch: operations["users.patch"];
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the password of a user, whose sessions and grants end
         * @description Scope admin.users:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["users.password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a user, whose sessions and grants end
         * @description Scope admin.users:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["users.disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a user again
         * @description Scope admin.users:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["users.enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/end-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions and grants of a user
         * @description Scope admin.sessions:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["users.end_access"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the passkeys and the authenticator app of a user, without what is secret
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["factors.list"];
        put?: never;
        post?: never;
        /**
         * Remove all passkeys, the app and the recovery codes of a user, whose sessions and grants end
         * @description Scope admin.users:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        delete: operations["factors.remove_all"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/factors/{factor_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey or the app of a user, whose sessions and grants end; the last way in stays
         * @description Scope admin.users:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        delete: operations["factors.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/recovery-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link for one hour with which a user gets back in; an older one ends
         * @description Scope admin.users:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        post: operations["recovery_link.make"];
        /**
         * End the recovery by mail of a user that waits
         * @description Scope admin.users:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        delete: operations["recovery_link.cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts of a user at other providers
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["links.list"];
        put?: never;
        post?: never;
        /**
         * Remove all accounts of a user at other providers; sessions and grants end
         * @description Scope admin.users:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        delete: operations["links.remove_all"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/links/{upstream}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove the accounts of a user at one provider; sessions and grants end; the last way in stays
         * @description Scope admin.users:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        delete: operations["links.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the addresses of a user, and whether the user signs in with them
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["addresses.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users who were invited and have not used the link, sorted by sub
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["invitations.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The invitation of a user that can be used, without its link
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["invitation.get"];
        put?: never;
        /**
         * Invite a user who has no way to sign in yet: a link for 7 days, which is mailed where the realm mails; an older one ends
         * @description Scope admin.users:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        post: operations["invitation.make"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of a user
         * @description Scope admin.sessions:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["sessions.list"];
        put?: never;
        post?: never;
        /**
         * End all sessions of a user; grants with offline access stay
         * @description Scope admin.sessions:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        delete: operations["sessions.end_all"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/sessions/{sid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session, like a logout
         * @description Scope admin.sessions:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        delete: operations["sessions.end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the grants of a user that have not ended
         * @description Scope admin.sessions:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["grants.list"];
        put?: never;
        post?: never;
        /**
         * Revoke grants of a user, with their tokens
         * @description Scope admin.sessions:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        delete: operations["grants.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the consents of a user, withdrawn ones too
         * @description Scope admin.consents:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["consents.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/consents/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw the consent of a user to a client, and revoke the grants that it covers
         * @description Scope admin.consents:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        delete: operations["consents.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/throttles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the counters of an account or an address that are not zero
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["throttles.list"];
        put?: never;
        post?: never;
        /**
         * Reset the counters of an account or an address, which may try again at once
         * @description Scope admin.users:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        delete: operations["throttles.reset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all roles; there are at most 1,000
         * @description Scope admin.roles:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["roles.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/roles/{kind}/{holder}/{role}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a role, or set its realms; `kind` is users or clients, `holder` a sub or a client_id
         * @description Scope admin.roles:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        put: operations["roles.put"];
        post?: never;
        /**
         * Take a role
         * @description Scope admin.roles:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        delete: operations["roles.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened and what was changed, the newest first; every filter has to match
         * @description Scope admin.audit:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["audit.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/audit/{audit_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A row of the audit, with what was changed
         * @description Scope admin.audit:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["audit.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/explain/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened, by the reference of an error page, the id of a request, or a flow
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["audit.explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/simulate/authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the authorization endpoint would answer, and why; nothing is stored
         * @description Scope admin.clients:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["simulate.authorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/simulate/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which claims the tokens of a client would have about a user, without a token
         * @description Scope admin.clients:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["simulate.tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/simulate/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * How a user could sign in, and which limits are reached; nothing is counted
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["simulate.sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/users/{sub}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is stored about a user, without secrets
         * @description Scope admin.audit:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["users.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/audit/{audit_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set back what a row has changed in a client or a user
         * @description Scope admin.audit:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["audit.undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/audit-coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Since when the audit has every row
         * @description Scope admin.audit:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["audit.coverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the signing keys
         * @description Scope admin.keys:read. A person has signed in with two factors, at most 300 seconds ago.
         */
        get: operations["keys.list"];
        put?: never;
        /**
         * Publish a new signing key, which signs later
         * @description Scope admin.keys:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        post: operations["keys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/keys/{kid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a signing key that has leaked: what it has signed is refused
         * @description Scope admin.keys:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        delete: operations["keys.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/clients/{client_id}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who has consented to a client, and who has grants of it; a page may be short, or empty
         * @description Scope admin.consents:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["clients.users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state of the server that answers, and what waits in the realm
         * @description Scope admin.realms:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mails that wait to be sent, in the order of their ids
         * @description Scope admin.users:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["mail.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}/mail/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test mail at once, and say whether the mail server has accepted it
         * @description Scope admin.realms:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        post: operations["mail.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the realms of the roles of the caller, by id
         * @description Scope admin.realms:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["realms.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realms/{realm}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A realm with its settings
         * @description Scope admin.realms:read. A person has signed in with two factors, at most 3600 seconds ago.
         */
        get: operations["realms.get"];
        /**
         * Make a realm, or replace its settings
         * @description Scope admin.realms:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        put: operations["realms.put"];
        post?: never;
        /**
         * Delete a realm: everything in it is refused at once, and deleted seven days later
         * @description Scope admin.realms:write. A person has signed in with two factors, at most 300 seconds ago.
         */
        delete: operations["realms.delete"];
        options?: never;
        head?: never;
        /**
         * Change settings of a realm; null removes one, so that it is that of all realms
         * @description Scope admin.realms:write. A person has signed in with two factors, at most 3600 seconds ago.
         */
        patch: operations["realms.patch"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        DryRun: {
            changes: {
                /** @description A JSON Pointer into the record; empty for a record that is created or deleted */
                pointer: string;
                /** @description Absent when the member is not there */
                from?: unknown;
                /** @description Absent when the member will not be there */
                to?: unknown;
                /**
                 * @description The member is never shown
                 * @constant
                 */
                secret?: true;
            }[];
            effects: {
                /** @description How many end; null where that is not counted before */
                sessions: number | null;
                /** @description How many end; null where that is not counted before */
                grants: number | null;
                /** @description How many end; null where that is not counted before */
                consents: number | null;
                /** @description How many are made or withdrawn */
                keys: number;
                /** @description Only of a realm that is deleted: how many it has, 10000 stands for more; null where that is not counted */
                clients?: number | null;
                /** @description Only of a realm that is deleted: how many it has, 10000 stands for more; null where that is not counted */
                users?: number | null;
            };
        };
    };
    responses: {
        /** @description A refusal (RFC 9457): invalid_request, invalid_cursor, unauthorized, forbidden, insufficient_scope, weak_client, not_found, method_not_allowed, conflict, owned_by_configuration, changed_meanwhile, too_large, unsupported_media_type, precondition_required, too_many_requests, server_error, unavailable */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": {
                    type: string;
                    title: string;
                    status: number;
                    detail: string;
                    errors?: {
                        pointer: string;
                        message: string;
                        suggestion?: string;
                    }[];
                    request_id: string;
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "clients.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                after?: string;
                client_id?: string;
                origin?: "operator" | "registered" | "metadata_document";
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            client_id: string;
                            client_name: string;
                            /** @enum {string} */
                            origin: "operator" | "registered" | "metadata_document";
                            /** @description Epoch seconds */
                            client_id_issued_at: number;
                            revoked_at: number | null;
                            /** @description Only in the answer that has made it */
                            client_secret?: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description The cursor of the next page */
                        next: string | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "clients.get": {
        parameters: {
            query?: {
                protection?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        client_name: string;
                        /** @enum {string} */
                        origin: "operator" | "registered" | "metadata_document";
                        /** @description Epoch seconds */
                        client_id_issued_at: number;
                        revoked_at: number | null;
                        /** @description Only in the answer that has made it */
                        client_secret?: string;
                        protection?: {
                            /** @description Without it, the caller changes nothing */
                            needs_role: {
                                /** @enum {string} */
                                role: "auditor" | "support" | "manager" | "owner";
                                /** @description The ids of realms, or `*` alone for all */
                                realms: string[];
                            } | null;
                            /** @description Its key, where it is changed */
                            configured: string | null;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "clients.put": {
        parameters: {
            query?: {
                overwrite?: "true" | "false";
                dry_run?: "true" | "false";
            };
            header?: {
                "If-Match"?: string;
                "If-None-Match"?: string;
            };
            path: {
                realm: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What users see; the client_id when absent */
                    client_name?: string;
                    /**
                     * @description Where codes may be sent; compared exactly
                     * @default []
                     */
                    redirect_uris?: string[];
                    /**
                     * @description Where users may be redirected after signing out
                     * @default []
                     */
                    post_logout_redirect_uris?: string[];
                    /**
                     * @description The grants that it may use
                     * @default [
                     *       "authorization_code",
                     *       "refresh_token"
                     *     ]
                     */
                    grant_types?: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:token-exchange" | "urn:ietf:params:oauth:grant-type:device_code")[];
                    /**
                     * @description Always ["code"]
                     * @default [
                     *       "code"
                     *     ]
                     */
                    response_types?: [
                        "code"
                    ];
                    /**
                     * @description How it authenticates; when absent, with its keys, or with either of the two secret methods, or none without both
                     * @enum {string}
                     */
                    token_endpoint_auth_method?: "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";
                    /** @description The methods between which a client with a secret may choose for each request */
                    token_endpoint_auth_methods?: ("client_secret_basic" | "client_secret_post")[];
                    /** @description The public keys of a client that authenticates with private_key_jwt */
                    jwks?: {
                        /** @description Public keys (RFC 7517) */
                        keys: {
                            [key: string]: unknown;
                        }[];
                    };
                    /** @description The address of these keys, instead of jwks; https. They are read when they are needed */
                    jwks_uri?: string;
                    /**
                     * @description The only algorithm of its assertions; when absent, each that fits a key
                     * @enum {string}
                     */
                    token_endpoint_auth_signing_alg?: "RS256" | "PS256" | "ES256" | "EdDSA" | "Ed25519";
                    /**
                     * @description The algorithm of its ID tokens and logout tokens, one of oidc.keys.algorithms; when absent, RS256, or the first of them where RS256 is not in it
                     * @enum {string}
                     */
                    id_token_signed_response_alg?: "RS256" | "PS256" | "ES256" | "EdDSA";
                    /** @description true: each of its access tokens is bound to a key (needs oidc.dpop) */
                    dpop_bound_access_tokens?: boolean;
                    /** @description true: it must push its authorization requests (needs oidc.par) */
                    require_pushed_authorization_requests?: boolean;
                    /** @description Where the client is notified that a session has ended; https */
                    backchannel_logout_uri?: string;
                    /**
                     * @description Its logout tokens must name the session
                     * @default false
                     */
                    backchannel_logout_session_required?: boolean;
                    /**
                     * @description Audiences that it may request in a token exchange
                     * @default []
                     */
                    allowed_exchange_audiences?: string[];
                    /**
                     * @description false: users are never asked for consent, and none is stored
                     * @default true
                     */
                    consent_required?: boolean;
                    /**
                     * @description First-party: users are never asked for consent, not even for prompt=consent
                     * @default false
                     */
                    trusted?: boolean;
                    /** @description Only users in one of these groups may use it; when absent, all */
                    allowed_groups?: string[];
                    /** @description How its users have to sign in at least: one of oidc.acr_values_supported */
                    required_acr?: string;
                    /**
                     * @description true: its devices also get an address that fills in the code, for a QR code (needs oidc.clients.device_authorization)
                     * @default false
                     */
                    verification_uri_complete?: boolean;
                    /** @description Scopes of every request, instead of oidc.clients.default_scopes */
                    default_scopes?: string[];
                    /** @description Scopes that a request may name, instead of oidc.clients.optional_scopes */
                    optional_scopes?: string[];
                    /**
                     * @description false, for a client with a secret that cannot send PKCE: it may leave out code_challenge
                     * @default true
                     */
                    require_pkce?: boolean;
                    /** @description The resource of a request that names none: a key of oidc.resources, or its URI */
                    default_resource?: string;
                    /** @description Seconds that its access tokens are valid, instead of oidc.tokens */
                    access_token_lifetime?: number;
                    /** @description Seconds that its refresh tokens are valid, instead of oidc.tokens.refresh_token */
                    refresh_token_lifetime?: number;
                    /** @description Seconds, at most 60, instead of oidc.tokens.refresh_token_grace */
                    refresh_token_grace?: number;
                    /** @description Its logo, for the pages; https */
                    logo_uri?: string;
                    /** @description Its home page; https */
                    client_uri?: string;
                    /** @description Its privacy policy; https */
                    policy_uri?: string;
                    /** @description Its terms of service; https */
                    tos_uri?: string;
                    confidential?: boolean;
                    /** @description As in the address */
                    client_id?: string;
                    /** @description A random secret of at least 32 characters; it is never shown */
                    client_secret?: string;
                    /** @description In place of client_secret: its SHA-256 in base64url without padding; it is never shown */
                    client_secret_hash?: string;
                };
            };
        };
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        client_name: string;
                        /** @enum {string} */
                        origin: "operator" | "registered" | "metadata_document";
                        /** @description Epoch seconds */
                        client_id_issued_at: number;
                        revoked_at: number | null;
                        /** @description Only in the answer that has made it */
                        client_secret?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            /** @description Done */
            201: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        client_name: string;
                        /** @enum {string} */
                        origin: "operator" | "registered" | "metadata_document";
                        /** @description Epoch seconds */
                        client_id_issued_at: number;
                        revoked_at: number | null;
                        /** @description Only in the answer that has made it */
                        client_secret?: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "clients.delete": {
        parameters: {
            query?: {
                overwrite?: "true" | "false";
                dry_run?: "true" | "false";
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                realm: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        grants: number;
                        consents: number;
                        /** @description Epoch seconds */
                        id_free_at: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "clients.patch": {
        parameters: {
            query?: {
                overwrite?: "true" | "false";
                dry_run?: "true" | "false";
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                realm: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    client_name?: string | null;
                    redirect_uris?: string[] | null;
                    post_logout_redirect_uris?: string[] | null;
                    grant_types?: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:token-exchange" | "urn:ietf:params:oauth:grant-type:device_code")[] | null;
                    response_types?: [
                        "code"
                    ] | null;
                    token_endpoint_auth_method?: ("none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
                    token_endpoint_auth_methods?: ("client_secret_basic" | "client_secret_post")[] | null;
                    jwks?: {
                        /** @description Public keys (RFC 7517) */
                        keys: {
                            [key: string]: unknown;
                        }[];
                    } | null;
                    jwks_uri?: string | null;
                    token_endpoint_auth_signing_alg?: ("RS256" | "PS256" | "ES256" | "EdDSA" | "Ed25519") | null;
                    id_token_signed_response_alg?: ("RS256" | "PS256" | "ES256" | "EdDSA") | null;
                    dpop_bound_access_tokens?: boolean | null;
                    require_pushed_authorization_requests?: boolean | null;
                    backchannel_logout_uri?: string | null;
                    backchannel_logout_session_required?: boolean | null;
                    allowed_exchange_audiences?: string[] | null;
                    consent_required?: boolean | null;
                    trusted?: boolean | null;
                    allowed_groups?: string[] | null;
                    required_acr?: string | null;
                    verification_uri_complete?: boolean | null;
                    default_scopes?: string[] | null;
                    optional_scopes?: string[] | null;
                    require_pkce?: boolean | null;
                    default_resource?: string | null;
                    access_token_lifetime?: number | null;
                    refresh_token_lifetime?: number | null;
                    refresh_token_grace?: number | null;
                    logo_uri?: string | null;
                    client_uri?: string | null;
                    policy_uri?: string | null;
                    tos_uri?: string | null;
                    confidential?: boolean;
                };
            };
        };
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        client_name: string;
                        /** @enum {string} */
                        origin: "operator" | "registered" | "metadata_document";
                        /** @description Epoch seconds */
                        client_id_issued_at: number;
                        revoked_at: number | null;
                        /** @description Only in the answer that has made it */
                        client_secret?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "clients.secret": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        client_secret: string;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "clients.revoke": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        client_name: string;
                        /** @enum {string} */
                        origin: "operator" | "registered" | "metadata_document";
                        /** @description Epoch seconds */
                        client_id_issued_at: number;
                        revoked_at: number | null;
                        /** @description Only in the answer that has made it */
                        client_secret?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "client_documents.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                after?: string;
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description Its URL */
                            client_id: string;
                            /** @description The text that was fetched */
                            document: string;
                            etag: string | null;
                            last_modified: string | null;
                            /** @description When its host last confirmed it */
                            fetched_at: number;
                            /** @description Epoch seconds */
                            fresh_until: number;
                            /** @description A consent from before does not count */
                            changed_at: number;
                            /** @description Epoch seconds */
                            expires_at: number;
                        }[];
                        /** @description The cursor of the next page */
                        next: string | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "client_documents.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Its URL */
                        client_id: string;
                        /** @description The text that was fetched */
                        document: string;
                        etag: string | null;
                        last_modified: string | null;
                        /** @description When its host last confirmed it */
                        fetched_at: number;
                        /** @description Epoch seconds */
                        fresh_until: number;
                        /** @description A consent from before does not count */
                        changed_at: number;
                        /** @description Epoch seconds */
                        expires_at: number;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "clients.forget": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** @constant */
                        forgotten: true;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "registration.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Dynamic registration (RFC 7591): oidc.clients.registration, and its limits of oidc.throttle */
                        registration: {
                            enabled: boolean;
                            registration_endpoint: string | null;
                            allowed_redirect_schemes: string[];
                            allowed_private_use_schemes: string[];
                            allowed_redirect_domains: string[];
                            reuse: boolean;
                            /** @description Seconds; 0: never */
                            unused_lifetime: number;
                            /** @description Registrations a minute and address */
                            register: number;
                            registrations_per_day: number;
                        };
                        /** @description oidc.clients.metadata_documents */
                        metadata_documents: {
                            enabled: boolean;
                            allowed_hosts: string[];
                        };
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "upstreams.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @description On the button */
                            name: string;
                            /** @enum {string} */
                            type: "oidc" | "github";
                            issuer: string | null;
                            client_id: string;
                            /** @enum {string} */
                            authentication: "client_secret" | "private_key";
                            /** @description To be registered at the provider */
                            redirect_uri: string;
                            /** @description Where the provider sends logout tokens */
                            backchannel_logout_uri: string | null;
                            /** @description Beside openid; null for the default ones */
                            scopes: string[] | null;
                            signup: boolean;
                            /** @enum {string} */
                            link: "signed_in" | "verified_email";
                            domains: string[];
                            authoritative_domains: string[];
                            tenants: string[];
                            only: boolean;
                            require_second_factor: boolean;
                            groups: {
                                claim: string;
                                map: {
                                    [key: string]: string;
                                };
                            } | null;
                            /** @description Where the configuration has it */
                            key: string;
                        }[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "upstreams.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                upstream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description On the button */
                        name: string;
                        /** @enum {string} */
                        type: "oidc" | "github";
                        issuer: string | null;
                        client_id: string;
                        /** @enum {string} */
                        authentication: "client_secret" | "private_key";
                        /** @description To be registered at the provider */
                        redirect_uri: string;
                        /** @description Where the provider sends logout tokens */
                        backchannel_logout_uri: string | null;
                        /** @description Beside openid; null for the default ones */
                        scopes: string[] | null;
                        signup: boolean;
                        /** @enum {string} */
                        link: "signed_in" | "verified_email";
                        domains: string[];
                        authoritative_domains: string[];
                        tenants: string[];
                        only: boolean;
                        require_second_factor: boolean;
                        groups: {
                            claim: string;
                            map: {
                                [key: string]: string;
                            };
                        } | null;
                        /** @description Where the configuration has it */
                        key: string;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "upstreams.check": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                upstream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description False at GitHub */
                        asked: boolean;
                        /** @description Whether a sign-in can begin */
                        ready: boolean;
                        reason: string | null;
                        /** @description What to do */
                        hint: string | null;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                after?: string;
                sub?: string;
                username?: string;
                username_prefix?: string;
                address?: string;
                group?: string;
                created_after?: string;
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            sub: string;
                            username: string;
                            has_password: boolean;
                            /** @description By the names of OpenID Connect Core §5.1 */
                            claims: {
                                [key: string]: unknown;
                            };
                            attributes: {
                                [key: string]: unknown;
                            } | null;
                            groups: string[] | null;
                            /** @description Epoch seconds */
                            created_at: number;
                            /** @description Epoch seconds */
                            updated_at: number;
                            disabled_at: number | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description The cursor of the next page */
                        next: string | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.get": {
        parameters: {
            query?: {
                protection?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        username: string;
                        has_password: boolean;
                        /** @description By the names of OpenID Connect Core §5.1 */
                        claims: {
                            [key: string]: unknown;
                        };
                        attributes: {
                            [key: string]: unknown;
                        } | null;
                        groups: string[] | null;
                        /** @description Epoch seconds */
                        created_at: number;
                        /** @description Epoch seconds */
                        updated_at: number;
                        disabled_at: number | null;
                        protection?: {
                            /** @description Without it, the caller changes nothing */
                            needs_role: {
                                /** @enum {string} */
                                role: "auditor" | "support" | "manager" | "owner";
                                /** @description The ids of realms, or `*` alone for all */
                                realms: string[];
                            } | null;
                            /** @description Its key, where it is changed */
                            configured: string | null;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.put": {
        parameters: {
            query?: {
                overwrite?: "true" | "false";
                dry_run?: "true" | "false";
            };
            header?: {
                "If-Match"?: string;
                "If-None-Match"?: string;
            };
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    username: string;
                    /** @description Of a user who is created */
                    password?: string;
                    /** @description By the names of OpenID Connect Core §5.1 */
                    claims?: {
                        [key: string]: unknown;
                    };
                    attributes?: {
                        [key: string]: unknown;
                    } | null;
                    groups?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        username: string;
                        has_password: boolean;
                        /** @description By the names of OpenID Connect Core §5.1 */
                        claims: {
                            [key: string]: unknown;
                        };
                        attributes: {
                            [key: string]: unknown;
                        } | null;
                        groups: string[] | null;
                        /** @description Epoch seconds */
                        created_at: number;
                        /** @description Epoch seconds */
                        updated_at: number;
                        disabled_at: number | null;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            /** @description Done */
            201: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        username: string;
                        has_password: boolean;
                        /** @description By the names of OpenID Connect Core §5.1 */
                        claims: {
                            [key: string]: unknown;
                        };
                        attributes: {
                            [key: string]: unknown;
                        } | null;
                        groups: string[] | null;
                        /** @description Epoch seconds */
                        created_at: number;
                        /** @description Epoch seconds */
                        updated_at: number;
                        disabled_at: number | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.delete": {
        parameters: {
            query?: {
                overwrite?: "true" | "false";
                dry_run?: "true" | "false";
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        sessions: number;
                        grants: number;
                        consents: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.patch": {
        parameters: {
            query?: {
                overwrite?: "true" | "false";
                dry_run?: "true" | "false";
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    username?: string;
                    claims?: {
                        [key: string]: unknown;
                    } | null;
                    attributes?: {
                        [key: string]: unknown;
                    } | null;
                    groups?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        username: string;
                        has_password: boolean;
                        /** @description By the names of OpenID Connect Core §5.1 */
                        claims: {
                            [key: string]: unknown;
                        };
                        attributes: {
                            [key: string]: unknown;
                        } | null;
                        groups: string[] | null;
                        /** @description Epoch seconds */
                        created_at: number;
                        /** @description Epoch seconds */
                        updated_at: number;
                        disabled_at: number | null;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.password": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        sessions: number;
                        grants: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.disable": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        username: string;
                        has_password: boolean;
                        /** @description By the names of OpenID Connect Core §5.1 */
                        claims: {
                            [key: string]: unknown;
                        };
                        attributes: {
                            [key: string]: unknown;
                        } | null;
                        groups: string[] | null;
                        /** @description Epoch seconds */
                        created_at: number;
                        /** @description Epoch seconds */
                        updated_at: number;
                        disabled_at: number | null;
                        sessions: number;
                        grants: number;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.enable": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        username: string;
                        has_password: boolean;
                        /** @description By the names of OpenID Connect Core §5.1 */
                        claims: {
                            [key: string]: unknown;
                        };
                        attributes: {
                            [key: string]: unknown;
                        } | null;
                        groups: string[] | null;
                        /** @description Epoch seconds */
                        created_at: number;
                        /** @description Epoch seconds */
                        updated_at: number;
                        disabled_at: number | null;
                    } & {
                        [key: string]: unknown;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.end_access": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        sessions: number;
                        grants: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "factors.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            factor_id: string;
                            /** @enum {string} */
                            kind: "passkey" | "totp" | "recovery";
                            label: string;
                            /** @description Epoch seconds */
                            created_at: number;
                            last_used_at: number | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        recovery_codes: number;
                        second_step: boolean;
                        password: boolean;
                        passkeys: number;
                        recovery_until: number | null;
                        configured: string | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "factors.remove_all": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        sessions: number;
                        grants: number;
                        removed: {
                            factor_id: string;
                            /** @enum {string} */
                            kind: "passkey" | "totp" | "recovery";
                        }[];
                        second_step: boolean;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "factors.remove": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
                factor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        sessions: number;
                        grants: number;
                        removed: {
                            factor_id: string;
                            /** @enum {string} */
                            kind: "passkey" | "totp" | "recovery";
                        }[];
                        second_step: boolean;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "recovery_link.make": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What would be done */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            /** @description Done */
            201: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        /** @description It works once */
                        link: string;
                        /** @description Epoch seconds */
                        expires_at: number;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "recovery_link.cancel": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What would be done */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "links.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            /** @description The id of the provider in the configuration */
                            upstream: string;
                            issuer: string;
                            subject: string;
                            label: string;
                            /** @description Epoch seconds */
                            linked_at: number;
                            last_used_at: number | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "links.remove_all": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        sessions: number;
                        grants: number;
                        removed: {
                            upstream: string;
                            issuer: string;
                            subject: string;
                        }[];
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "links.remove": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
                upstream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        sessions: number;
                        grants: number;
                        removed: {
                            upstream: string;
                            issuer: string;
                            subject: string;
                        }[];
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "addresses.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            address: string;
                            verified: boolean;
                            /** @description `shared`: another user has confirmed it too; `username`: it is that of another user */
                            sign_in: ("signs_in" | "shared" | "username" | "missing") | null;
                        }[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "invitations.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                after?: string;
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            sub: string;
                            /** @description Epoch seconds */
                            created_at: number;
                            /** @description Epoch seconds */
                            expires_at: number;
                            username: string;
                            email: string | null;
                        }[];
                        /** @description The cursor of the next page */
                        next: string | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "invitation.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        /** @description Epoch seconds */
                        created_at: number;
                        /** @description Epoch seconds */
                        expires_at: number;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "invitation.make": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description true: the link is in the answer, and nothing is mailed */
                    print?: boolean;
                };
            };
        };
        responses: {
            /** @description What would be done */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            /** @description Done */
            201: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sub: string;
                        /** @description It works once; null when it is mailed */
                        link: string | null;
                        /** @description Epoch seconds */
                        expires_at: number;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "sessions.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            sid: string;
                            amr: string[];
                            acr: string | null;
                            /** @description Epoch seconds */
                            created_at: number;
                            /** @description Epoch seconds */
                            expires_at: number;
                            client_ids: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "sessions.end_all": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sids: string[];
                        grants: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "sessions.end": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
                sid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sids: string[];
                        grants: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "grants.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            grant_id: string;
                            client_id: string;
                            scopes: string[];
                            resource: string | null;
                            offline: boolean;
                            /** @description Epoch seconds */
                            created_at: number;
                            /** @description Epoch seconds */
                            expires_at: number;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "grants.revoke": {
        parameters: {
            query?: {
                client_id?: string;
                resource?: string;
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        revoked: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "consents.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            client_id: string;
                            resource: string;
                            scopes: string[];
                            /** @description Epoch seconds */
                            created_at: number;
                            revoked_at: number | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "consents.revoke": {
        parameters: {
            query?: {
                resource?: string;
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                sub: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        revoked: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "throttles.list": {
        parameters: {
            query?: {
                username?: string;
                address?: string;
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            limit: string;
                            counted: number;
                            maximum: number;
                            /** @description Epoch seconds */
                            until: number;
                        }[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "throttles.reset": {
        parameters: {
            query?: {
                username?: string;
                address?: string;
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reset: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "roles.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @enum {string} */
                            role: "auditor" | "support" | "manager" | "owner";
                            /** @description The ids of realms, or `*` alone for all */
                            realms: string[];
                            sub: string | null;
                            client_id: string | null;
                            /** @description Why the caller cannot take it */
                            stays: ("beyond" | "last_owner") | null;
                        }[];
                        /** @description What the caller may give */
                        grantable: {
                            /** @enum {string} */
                            role: "auditor" | "support" | "manager" | "owner";
                            /** @description The ids of realms, or `*` alone for all */
                            realms: string[];
                        }[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "roles.put": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                kind: string;
                holder: string;
                role: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    realms: string[];
                };
            };
        };
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        role: "auditor" | "support" | "manager" | "owner";
                        /** @description The ids of realms, or `*` alone for all */
                        realms: string[];
                        sub: string | null;
                        client_id: string | null;
                        /** @description false: the holder had it already */
                        changed: boolean;
                        /** @description Links of the user, for an invitation or a recovery, that work no more */
                        ended_links: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "roles.delete": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                kind: string;
                holder: string;
                role: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What would be done */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "audit.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                after?: string;
                sub?: string;
                client_id?: string;
                actor?: string;
                type?: string;
                since?: string;
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            audit_id: string;
                            realm: string;
                            /** @description Epoch seconds */
                            time: number;
                            type: string;
                            /** @enum {string} */
                            outcome: "done" | "begun" | "failed" | "refused";
                            actor: string;
                            sub: string | null;
                            client_id: string | null;
                            flow: string | null;
                            refs: string[];
                            count: number;
                            data: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description The cursor of the next page */
                        next: string | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "audit.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                audit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        audit_id: string;
                        realm: string;
                        /** @description Epoch seconds */
                        time: number;
                        type: string;
                        /** @enum {string} */
                        outcome: "done" | "begun" | "failed" | "refused";
                        actor: string;
                        sub: string | null;
                        client_id: string | null;
                        flow: string | null;
                        refs: string[];
                        count: number;
                        data: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "audit.explain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stories: ({
                            flow: string | null;
                            client_id: string | null;
                            sub: string | null;
                            steps: ({
                                /** @description Epoch seconds */
                                time: number;
                                what: string;
                                advice: string | null;
                            } & {
                                [key: string]: unknown;
                            })[];
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "simulate.authorization": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The client */
                    client_id: string;
                    /** @description Of the authorization request; a list is a parameter that is sent several times */
                    parameters: {
                        [key: string]: string | string[];
                    };
                    /** @description The user of the session */
                    sub?: string;
                    /** @description How the user of `sub` has signed in */
                    session?: {
                        /**
                         * @description 1: with a password; 2: with two methods
                         * @default 1
                         */
                        level?: 1 | 2;
                        /**
                         * @description Seconds since the sign-in
                         * @default 0
                         */
                        age?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        result: "login" | "consent" | "code" | "refused";
                        /** @description Of the catalog of refusals, or why the user has to sign in */
                        reason: string | null;
                        /** @description What to do */
                        hint: string | null;
                        /** @description The key `oidc.…`, or the field `client.…`, that decides */
                        setting: string | null;
                        /** @description Of a refusal: as the client gets it */
                        error?: string;
                        /** @description Of a refusal: whether the client gets it; else an error page is shown */
                        redirects?: boolean;
                        scopes: string[] | null;
                        user_is_active: boolean | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "simulate.tokens": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The client */
                    client_id: string;
                    /** @description The user */
                    sub: string;
                    /** @description What the client asks for */
                    scopes: string[];
                    /** @description The resource that the client names */
                    resource?: string;
                    session?: {
                        /**
                         * @description 1: with a password; 2: with two methods
                         * @default 1
                         */
                        level?: 1 | 2;
                        /**
                         * @description Seconds since the sign-in
                         * @default 0
                         */
                        age?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        result: "tokens" | "login" | "refused";
                        /** @description Of the catalog of refusals, or why the user has to sign in */
                        reason?: string | null;
                        /** @description What to do */
                        hint?: string | null;
                        /** @description The key `oidc.…`, or the field `client.…`, that decides */
                        setting?: string | null;
                        /** @description Of a refusal: as the client gets it */
                        error?: string;
                        /** @description Of a refusal: whether the client gets it; else an error page is shown */
                        redirects?: boolean;
                        scopes?: string[];
                        token_type?: string;
                        expires_in?: number;
                        refresh_token?: boolean;
                        id_token?: {
                            claims: {
                                name: string;
                                value: unknown;
                                from: string;
                            }[];
                            withheld: {
                                name: string;
                                why: string;
                            }[];
                            /** @description Of the token as it is sent */
                            bytes: number;
                            /** @description A client_id, or the URI of a resource */
                            read_by: string[];
                        } | null;
                        userinfo?: {
                            claims: {
                                name: string;
                                value: unknown;
                                from: string;
                            }[];
                            withheld: {
                                name: string;
                                why: string;
                            }[];
                            /** @description Of the token as it is sent */
                            bytes: number;
                            /** @description A client_id, or the URI of a resource */
                            read_by: string[];
                        } | null;
                        access_token?: {
                            claims: {
                                name: string;
                                value: unknown;
                                from: string;
                            }[];
                            withheld: {
                                name: string;
                                why: string;
                            }[];
                            /** @description Of the token as it is sent */
                            bytes: number;
                            /** @description A client_id, or the URI of a resource */
                            read_by: string[];
                        } | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "simulate.sign_in": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As it is typed */
                    username?: string;
                    /** @description The IP address of the browser */
                    address?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ways: {
                            way: string;
                            name: string | null;
                        }[];
                        leads_to: string | null;
                        user: {
                            is_known: boolean;
                            sub?: string;
                            username?: string;
                            is_disabled?: boolean;
                            ways?: {
                                way: string;
                                name: string | null;
                            }[];
                            /** @enum {string} */
                            second_factor?: "none" | "asked" | "to_be_added";
                            /** @description When the account is deleted, as its user has asked for */
                            deletes_at?: number;
                        } | null;
                        limits: {
                            limit: string;
                            counted: number;
                            maximum: number;
                            until: number;
                            is_reached: boolean;
                        }[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "users.export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                sub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        format: "ostiary.personal-data/1";
                        realm: string;
                        exported_at: number;
                        user: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "audit.undo": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                audit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The row whose change is set back; the change has rows of its own */
                        audit_id: string;
                        sub?: string;
                        username?: string;
                        client_id?: string;
                        /** @description Empty when the record is as it was before */
                        changed: {
                            member: string;
                            from: unknown;
                            to: unknown;
                        }[];
                        /** @description How many end, of a user who is disabled again */
                        sessions?: number;
                        grants?: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "audit.coverage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Epoch seconds: since then the audit has every row; null when it has none */
                        complete_since: number | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "keys.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            kid: string;
                            /** @enum {string} */
                            alg: "RS256" | "PS256" | "ES256" | "EdDSA";
                            /** @description Epoch seconds */
                            created_at: number;
                            /** @description Epoch seconds */
                            signs_from: number;
                        }[];
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "keys.rotate": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Needed where oidc.keys.algorithms lists several
                     * @enum {string}
                     */
                    alg?: "RS256" | "PS256" | "ES256" | "EdDSA";
                    /** @description Seconds until it signs; those of oidc.keys.publish_before when absent */
                    publish_before?: number;
                };
            };
        };
        responses: {
            /** @description What would be done */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            /** @description Done */
            201: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        kid: string;
                        /** @enum {string} */
                        alg: "RS256" | "PS256" | "ES256" | "EdDSA";
                        /** @description Epoch seconds */
                        created_at: number;
                        /** @description Epoch seconds */
                        signs_from: number;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "keys.revoke": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
                kid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            kid: string;
                            /** @enum {string} */
                            alg: "RS256" | "PS256" | "ES256" | "EdDSA";
                            /** @description Epoch seconds */
                            created_at: number;
                            /** @description Epoch seconds */
                            signs_from: number;
                        }[];
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "clients.users": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                realm: string;
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            sub: string;
                            /** @description The oldest consent that is not withdrawn; null without one */
                            consented_at: number | null;
                            /** @description Those that have not ended */
                            grants: number;
                        }[];
                        /** @description The cursor of the next page */
                        next: string | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: string;
                        /** @description Epoch seconds */
                        time: number;
                        /** @description Whether /readyz answers 200 */
                        ready: boolean;
                        /** @description `ok`, `down` or `restored`, by part */
                        parts: {
                            [key: string]: string;
                        };
                        /** @enum {string} */
                        storage: "database" | "memory";
                        /** @description The number of the newest migration */
                        schema: number | null;
                        /** @description The newest signing key of each algorithm */
                        keys: {
                            kid: string;
                            alg: string;
                            /** @description Epoch seconds */
                            created_at: number;
                            /** @description Epoch seconds */
                            signs_from: number;
                        }[];
                        /** @description Null where records are in memory */
                        mails: {
                            /** @description 10000 stands for more */
                            waiting: number;
                            /** @description When the oldest was stored */
                            oldest_at: number | null;
                        } | null;
                        /** @description Null where records are in memory */
                        deliveries: {
                            /** @description 10000 stands for more */
                            waiting: number;
                            /** @description When the oldest was stored */
                            oldest_at: number | null;
                        } | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "mail.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            mail_id: string;
                            /** @description Epoch seconds */
                            created_at: number;
                            /** @description Those that have begun; after the first one, the mail server refused it */
                            attempts: number;
                            /** @description Epoch seconds */
                            next_attempt_at: number;
                        }[];
                        /** @description The cursor of the next page */
                        next: string | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "mail.test": {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description One address
                     */
                    to: string;
                };
            };
        };
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        to: string;
                        sent: boolean;
                        /** @description Why not, as in the event mail.failed */
                        reason: string | null;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "realms.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @enum {string} */
                            source: "configuration" | "run_time";
                            /** @description Null for a realm of the configuration */
                            created_at: number | null;
                            updated_at: number | null;
                            /** @description 1, and one more with each change */
                            version: number | null;
                        }[];
                        /** @description The cursor of the next page */
                        next: string | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "realms.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        source: "configuration" | "run_time";
                        /** @description Null for a realm of the configuration */
                        created_at: number | null;
                        updated_at: number | null;
                        /** @description 1, and one more with each change */
                        version: number | null;
                        /** @description Null for a realm of the configuration */
                        oidc: {
                            [key: string]: unknown;
                        } | null;
                        identity: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Where the configuration has the realm */
                        configuration: {
                            /** @description Null for variables of the environment */
                            file: string | null;
                            key: string;
                        } | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "realms.put": {
        parameters: {
            query?: {
                overwrite?: "true" | "false";
                dry_run?: "true" | "false";
            };
            header?: {
                "If-Match"?: string;
                "If-None-Match"?: string;
            };
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Keys of `oidc` that differ in this realm, as in the configuration */
                    oidc?: {
                        [key: string]: unknown;
                    };
                    /** @description Keys of `identity` of this realm, as in the configuration */
                    identity?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        source: "configuration" | "run_time";
                        /** @description Null for a realm of the configuration */
                        created_at: number | null;
                        updated_at: number | null;
                        /** @description 1, and one more with each change */
                        version: number | null;
                        /** @description Null for a realm of the configuration */
                        oidc: {
                            [key: string]: unknown;
                        } | null;
                        identity: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Where the configuration has the realm */
                        configuration: {
                            /** @description Null for variables of the environment */
                            file: string | null;
                            key: string;
                        } | null;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            /** @description Done */
            201: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        source: "configuration" | "run_time";
                        /** @description Null for a realm of the configuration */
                        created_at: number | null;
                        updated_at: number | null;
                        /** @description 1, and one more with each change */
                        version: number | null;
                        /** @description Null for a realm of the configuration */
                        oidc: {
                            [key: string]: unknown;
                        } | null;
                        identity: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Where the configuration has the realm */
                        configuration: {
                            /** @description Null for variables of the environment */
                            file: string | null;
                            key: string;
                        } | null;
                    };
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "realms.delete": {
        parameters: {
            query?: {
                overwrite?: "true" | "false";
                dry_run?: "true" | "false";
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description Epoch seconds */
                        disabled_at: number;
                        /** @description When its records are deleted, at the earliest; the id is never used again */
                        purged_from: number;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
    "realms.patch": {
        parameters: {
            query?: {
                overwrite?: "true" | "false";
                dry_run?: "true" | "false";
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    oidc?: {
                        [key: string]: unknown;
                    } | null;
                    identity?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Done; or what would be done, of a dry run */
            200: {
                headers: {
                    /** @description For If-Match */
                    etag?: string;
                    /** @description The rows of the audit, as rel="describedby" */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        source: "configuration" | "run_time";
                        /** @description Null for a realm of the configuration */
                        created_at: number | null;
                        updated_at: number | null;
                        /** @description 1, and one more with each change */
                        version: number | null;
                        /** @description Null for a realm of the configuration */
                        oidc: {
                            [key: string]: unknown;
                        } | null;
                        identity: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Where the configuration has the realm */
                        configuration: {
                            /** @description Null for variables of the environment */
                            file: string | null;
                            key: string;
                        } | null;
                    };
                    "application/vnd.ostiary.dry-run+json": components["schemas"]["DryRun"];
                };
            };
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
        };
    };
}
