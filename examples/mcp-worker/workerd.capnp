# For the workerd package from npm: `workerd serve workerd.capnp`.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    # The issuer runs on this machine. Without this service, a Worker reaches public addresses only.
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:4006", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "dist/worker.js")],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "ISSUER", fromEnvironment = "ISSUER"),
    (name = "RESOURCE", fromEnvironment = "RESOURCE"),
  ],
);
