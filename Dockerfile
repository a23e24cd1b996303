# Almanac in one container: its own PostgreSQL, or an external one with DATABASE_URL (see compose.yaml).
# Not run in CI: there is no container engine there. The steps are those of `npm start`, which is tested.
FROM node:26-bookworm-slim

WORKDIR /app
RUN chown node:node /app && install -d -o node -g node -m 700 /data

# PostgreSQL refuses to run as root.
USER node

# By itself, so that a change of the source does not install again.
COPY --chown=node:node package.json package-lock.json .npmrc ./
COPY --chown=node:node scripts ./scripts
RUN node scripts/prepare.mjs && rm -rf /home/node/.npm

COPY --chown=node:node . .
# Installs nothing more; builds the dashboard and the server, whose sources are there now, and makes the links between PostgreSQL's libraries: at run time
# nothing here can be written.
RUN node scripts/prepare.mjs

# All addresses: the container has its own. Almanac then turns its sandbox and the demo account off.
ENV ALMANAC_HOST=0.0.0.0 \
    ALMANAC_DATA_DIR=/data
VOLUME /data
# Port 4013 has metrics, when ALMANAC_METRICS is set: for the network of those who watch, not for the world.
EXPOSE 4010

# Alive, not ready: what restarts unhealthy containers must not do so while Almanac waits for its database.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ALMANAC_PORT ?? 4010) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Work that has begun is finished before the database stops.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "scripts/almanac.mjs"]
CMD ["up"]
