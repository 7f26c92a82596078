# The server on Node. docker build -t ostiary .
# The digest is one build of the image for all platforms; .github/dependabot.yml asks for newer ones.
FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df AS node

FROM node AS build
WORKDIR /src
ENV CI=true
# Only what the installation reads, so that a change of the sources uses this layer again.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY apps/node-server/package.json apps/node-server/
COPY packages/access-rules/package.json packages/access-rules/
COPY packages/account-deletion/package.json packages/account-deletion/
COPY packages/addresses/package.json packages/addresses/
COPY packages/admin/package.json packages/admin/
COPY packages/admin-client/package.json packages/admin-client/
COPY packages/admin-commands/package.json packages/admin-commands/
COPY packages/audit/package.json packages/audit/
COPY packages/audit-sinks/package.json packages/audit-sinks/
COPY packages/core/package.json packages/core/
COPY packages/console/package.json packages/console/
COPY packages/console-activity/package.json packages/console-activity/
COPY packages/console-clients/package.json packages/console-clients/
COPY packages/console-settings/package.json packages/console-settings/
COPY packages/console-setup/package.json packages/console-setup/
COPY packages/email-codes/package.json packages/email-codes/
COPY packages/email-sign-in/package.json packages/email-sign-in/
COPY packages/explain/package.json packages/explain/
COPY packages/host/package.json packages/host/
COPY packages/identity/package.json packages/identity/
COPY packages/password-hashes/package.json packages/password-hashes/
COPY packages/password-rules/package.json packages/password-rules/
COPY packages/personal-data/package.json packages/personal-data/
COPY packages/realm-operations/package.json packages/realm-operations/
COPY packages/realms/package.json packages/realms/
COPY packages/recovery/package.json packages/recovery/
COPY packages/terms/package.json packages/terms/
COPY packages/resource-server/package.json packages/resource-server/
COPY packages/sign-up/package.json packages/sign-up/
COPY packages/simulation/package.json packages/simulation/
COPY packages/storage-pglite/package.json packages/storage-pglite/
COPY packages/storage-postgres/package.json packages/storage-postgres/
COPY packages/storage-redis/package.json packages/storage-redis/
RUN npx -y pnpm@12.21.0 install --prod --frozen-lockfile --filter-prod @ostiary/server... --filter-prod .
COPY tsconfig.base.json ./
COPY scripts scripts
COPY packages packages
COPY apps/node-server apps/node-server
RUN npx -y pnpm@12.21.0 exec node scripts/start.mjs
RUN npx -y pnpm@12.21.0 --config.inject-workspace-packages=true --filter @ostiary/server deploy --prod /app

FROM node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/ostiary \
    OSTIARY_CONFIG= OSTIARY_DRAIN_SECONDS=5
COPY --from=build /app /app
# The server reads ostiary.config.json in the working directory, unless OSTIARY_CONFIG names another file.
RUN mkdir -p /etc/ostiary /var/lib/ostiary && chown 1000:1000 /var/lib/ostiary
WORKDIR /etc/ostiary
VOLUME /var/lib/ostiary
# The user node of the image, as a number: Kubernetes' runAsNonRoot refuses a name.
USER 1000:1000
EXPOSE 3000
# Liveness, not readiness: a restart of the server does not help when the database is unavailable. bash sends the request
# itself: a second Node every ten seconds would take more CPU than an idle server.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r status <&3 && [[ $status == *' 200 '* ]]"]
# Under load, V8's young generation would take up to 100 MB on Node 24: docs/performance.md has what this saves.
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/dist/main.js"]
CMD ["serve"]
