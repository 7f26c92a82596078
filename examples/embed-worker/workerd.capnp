# For the workerd package from npm: `workerd serve workerd.capnp`.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:3000", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "dist/worker.js")],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "ISSUER", fromEnvironment = "ISSUER"),
    (name = "OIDC_SECRET", fromEnvironment = "OIDC_SECRET"),
  ],
);
