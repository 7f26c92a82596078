import { type SmtpMailer, type SmtpMailerOptions, smtpMailer } from './smtp-mailer.js'

/** The mailers of a server. */
export interface SmtpMailers {
  /** The mailer for a URL without a fault. */
  to(url: string): SmtpMailer
  close(): void
}

/** One mailer for each URL: realms with the same mail server share its connections. */
export function smtpMailers(options: SmtpMailerOptions = {}): SmtpMailers {
  const mailers = new Map<string, SmtpMailer>()
  return {
    to(url) {
      const mailer = mailers.get(url) ?? smtpMailer(url, options)
      mailers.set(url, mailer)
      return mailer
    },
    close() {
      for (const mailer of mailers.values()) mailer.close()
    },
  }
}
