/** deploy/kubernetes: every object fits its schema, and agrees with the Dockerfile and the configuration. */

import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@ostiary/host'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { Job } from 'kubernetes-types/batch/v1.js'
import type { ConfigMap, PodSpec, Service } from 'kubernetes-types/core/v1.js'
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { fence, ROOT } from './fences.ts'
import { compile } from './snippets.ts'

const MODULES: Record<string, string> = {
  'v1 ConfigMap': 'core/v1',
  'batch/v1 Job': 'batch/v1',
  'apps/v1 Deployment': 'apps/v1',
  'v1 Service': 'core/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'networking/v1',
  'policy/v1 PodDisruptionBudget': 'policy/v1',
}
const DATABASE_URL = 'postgres://ostiary:password@postgres:5432/ostiary'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const objects: { apiVersion: string; kind: string }[] = parseAllDocuments(
  read('deploy/kubernetes/ostiary.yaml'),
).map((document) => {
  expect(document.errors).toEqual([])
  return document.toJS()
})
const find = <T>(kind: string) => objects.find((object) => object.kind === kind) as T
const pods: PodSpec[] = [
  find<Job>('Job').spec?.template.spec,
  find<Deployment>('Deployment').spec?.template.spec,
].flatMap((spec) => (spec ? [spec] : []))

it('the API of Kubernetes has every field, with this type', async () => {
  const files = objects.map((object, index) => {
    const module = MODULES[`${object.apiVersion} ${object.kind}`]
    expect(module, object.kind).toBeDefined()
    const type = `import('kubernetes-types/${module}.js').${object.kind}`
    return { name: `object-${index}.ts`, code: `export const object: ${type} = ${JSON.stringify(object)}` }
  })
  expect(files).toHaveLength(7)
  const written = await compile(files)
  written.remove()
})

it('a container may not run as root, write to its image, or gain privileges', () => {
  expect(pods).toHaveLength(2)
  for (const { automountServiceAccountToken, securityContext, containers } of pods) {
    expect(automountServiceAccountToken).toBe(false)
    expect(securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    for (const container of containers)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
  }
  // With a name, the kubelet cannot tell that the user is not root, and refuses to start the container.
  expect(read('Dockerfile')).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
})

it('port, folder, probes and times are those of the image', () => {
  const dockerfile = read('Dockerfile')
  const { spec } = find<Deployment>('Deployment')
  const [container] = spec?.template.spec?.containers ?? []
  expect(dockerfile).toContain(`EXPOSE ${container?.ports?.[0]?.containerPort}\n`)
  expect(container?.volumeMounts).toEqual([{ name: 'config', mountPath: '/etc/ostiary', readOnly: true }])
  const paths = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]
  expect(paths.map((probe) => probe?.httpGet?.path)).toEqual(['/healthz', '/healthz', '/readyz'])
  const drain = Number(/OSTIARY_DRAIN_SECONDS=(\d+)/.exec(dockerfile)?.[1])
  expect(spec?.template.spec?.terminationGracePeriodSeconds).toBeGreaterThan(drain + 5)
  expect(find<Service>('Service').spec?.selector).toEqual(spec?.template.metadata?.labels)
})

it('the last backend has the pods that are not ready too', () => {
  const services = objects.filter(({ kind }) => kind === 'Service') as Service[]
  const [usual, last] = services.map(({ spec }) => spec)
  expect(services.map(({ metadata }) => metadata?.name)).toEqual(['ostiary', 'ostiary-not-ready'])
  expect(last).toEqual({ ...usual, publishNotReadyAddresses: true })
  expect(read('docs/run-it.md')).toContain('default-backend: ostiary-not-ready')
})

it('the configuration and the secret are complete', async () => {
  const cwd = await temporaryFolder()
  const { data = {} } = find<ConfigMap>('ConfigMap')
  const sample = data['ostiary.config.json'] ?? ''
  const write = (text: string) => writeFile(join(cwd, 'ostiary.config.json'), text)
  const secret = fence('docs/run-it.md', 'kubectl create secret')
  for (const name of ['OIDC_SECRET', 'DATABASE_URL', 'REDIS_URL']) expect(secret).toContain(`${name}=`)
  const env = { OIDC_SECRET: 'the-secret-of-the-tests-is-long-enough', DATABASE_URL, HOST: '0.0.0.0' }
  await write(sample)
  await expect(readConfig(env, cwd)).rejects.toThrow(
    'trusted_proxies.0: "<addresses of the ingress controller>" is a placeholder: replace it by the address or the range',
  )
  await write(sample.replace('<addresses of the ingress controller>', '10.42.7.0/24'))
  expect(await readConfig(env, cwd)).toMatchObject({
    issuer: 'https://id.example.com',
    port: 3000,
    trusted_proxies: ['10.42.7.0/24'],
  })
})

it('the servers admit the pods of the ingress controller alone, on the port of the container', () => {
  const { spec } = find<NetworkPolicy>('NetworkPolicy')
  const { template } = find<Deployment>('Deployment').spec ?? {}
  expect(spec?.podSelector.matchLabels).toEqual(template?.metadata?.labels)
  expect(spec?.policyTypes).toEqual(['Ingress'])
  // Both selectors in one entry: a pod with this label in another namespace is refused.
  expect(spec?.ingress).toEqual([
    {
      from: [
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } },
          podSelector: { matchLabels: { 'app.kubernetes.io/name': 'ingress-nginx' } },
        },
      ],
      ports: [{ port: template?.spec?.containers[0]?.ports?.[0]?.name }],
    },
  ])
})
