import { BUCKET, ID, type Migration, TIME } from './migration.js'

/** The remembered devices of users, with the bucket of their user. */
export const rememberedDevices: Migration = {
  id: 6,
  name: 'remembered-devices',
  sql: `create table oidc_remembered_devices (
  realm ${ID},
  device_id ${ID},
  sub ${ID},
  label text not null,
  secret_hash ${ID},
  former_hash text collate "C",
  credential_version integer not null,
  bucket ${BUCKET},
  created_at ${TIME},
  last_used_at bigint,
  expires_at ${TIME},
  primary key (realm, sub, device_id, bucket)
);
create index oidc_remembered_devices_expiry on oidc_remembered_devices (expires_at);`,
}
