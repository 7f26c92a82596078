import type { MailQueue, QueuedMail } from '@ostiary/identity/mail'
import { type Queries, won } from '../connection/executor.js'
import { realmsByTime } from './background.js'
import { columnList, MAIL } from './columns.js'

/** Twice as long as a mail is tried: what is older is in a realm that is not served, or that sends no mails, any more. */
const KEPT_SECONDS = 172_800

const ADD = `
  insert into oidc_mails (${columnList(MAIL)}, expires_at)
    select ${columnList(MAIL)}, created_at + ${KEPT_SECONDS} from json_populate_record(null::oidc_mails, $1::text::json)`

/** `$1` is the share of a realm, `$2` the time: the due mails of each realm, through one of the two partial indexes. */
const due = (attempts: string) => `
  select of_realm.* from (${realmsByTime({ table: 'oidc_mails', time: 'next_attempt_at', condition: attempts })}) as due,
    lateral (
      select realm, mail_id, next_attempt_at, attempts > 0 as again from oidc_mails
      where realm = due.realm and next_attempt_at <= $2 and ${attempts} order by next_attempt_at limit $1
    ) as of_realm`

const TURN = 'again, next_attempt_at, mail_id'

/** Mails that another server is claiming at this moment are skipped. */
const CLAIM = `
  with due as (
    (${due('attempts = 0')}) union all (${due('attempts > 0')})
  ), ranked as (
    select *, row_number() over (partition by realm order by ${TURN}) as of_realm from due
  ), locked as materialized (
    select mail_id, next_attempt_at as due_at, attempts > 0 as again from oidc_mails
    where next_attempt_at <= $2 and mail_id = any(array(
      select mail_id from ranked where of_realm <= $1 order by ${TURN} limit $4
    )) for update skip locked
  ), claimed as (
    update oidc_mails m set next_attempt_at = $2::bigint + $3::bigint, attempts = attempts + 1
    from locked where m.mail_id = locked.mail_id
    returning ${columnList(MAIL, 'm')}, due_at, again
  )
  select ${columnList(MAIL)} from claimed order by again, due_at, mail_id`

const SETTLED = 'where mail_id = $1 and attempts = $2 returning mail_id'
const FORGET = `delete from oidc_mails ${SETTLED}`
const RETRY = `update oidc_mails set data = $3, next_attempt_at = $4 ${SETTLED}`

const PAGE = `select ${columnList(MAIL)} from oidc_mails where mail_id > $1 order by mail_id limit $2`

const RESEAL = 'update oidc_mails set data = $3 where mail_id = $1 and data = $2 returning mail_id'

/** One queue for all realms. */
export const mailQueue = (db: Queries): MailQueue => ({
  async add(mail) {
    await db.query(ADD, [JSON.stringify(mail)])
  },
  claim: ({ now, lease, limit, share }) => db.query<QueuedMail>(CLAIM, [share, now, lease, limit]),
  settle: ({ mail_id, attempts }, next) =>
    won(
      next === null
        ? db.query(FORGET, [mail_id, attempts])
        : db.query(RETRY, [mail_id, attempts, next.data, next.next_attempt_at]),
    ),
  page: ({ after = '', limit }) => db.query<QueuedMail>(PAGE, [after, limit]),
  reseal: (mail_id, expected_data, data) => won(db.query(RESEAL, [mail_id, expected_data, data])),
})
