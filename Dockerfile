# The server on Node. docker build -t ostiary .
FROM node:24-slim AS build
WORKDIR /src
ENV CI=true TURBO_TELEMETRY_DISABLED=1
COPY . .
RUN npx -y pnpm@12.21.0 install --frozen-lockfile
RUN npx -y pnpm@12.21.0 exec turbo run build --filter=@ostiary/node-server... --output-logs=errors-only
RUN npx -y pnpm@12.21.0 --config.inject-workspace-packages=true --filter @ostiary/node-server deploy --prod /app

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/ostiary \
    OSTIARY_CONFIG= OSTIARY_DRAIN_SECONDS=5
COPY --from=build /app /app
# The server reads ostiary.config.json in the working directory, unless OSTIARY_CONFIG names another file.
RUN mkdir -p /etc/ostiary /var/lib/ostiary && chown node:node /var/lib/ostiary
WORKDIR /etc/ostiary
VOLUME /var/lib/ostiary
USER node
EXPOSE 3000
# Liveness, not readiness: a restart of the server does not help when the database is unavailable.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
