import type { Command } from 'commander';

/** `inkproof mail test ADDRESS`: sends one mail with the present settings, and prints the mail server's reply. */
export function registerMailCommand(program: Command): void {
  program
    .command('mail')
    .description('mails to users')
    .command('test')
    .description('send one mail through SMTP_URL, and print the mail server’s answer')
    .argument('<address>', 'the recipient')
    .action(async (to: string) => {
      const { parseEnv } = await import('#platform/env.ts');
      const { trySmtp } = await import('../mail/smtp-mailer.ts');
      const env = parseEnv(process.env);
      if (!env.SMTP_URL)
        throw new Error('SMTP_URL is not set: mails stay in DATA_DIR/inbox and are not sent.');
      const text = `Inkproof at ${env.PUBLIC_URL} can send mails.`;
      const refusal = await trySmtp(
        { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM ?? env.SUPPORT_EMAIL, replyTo: env.SUPPORT_EMAIL },
        { to, subject: 'Mail from Inkproof works', text, html: `<p>${text}</p>`, purpose: 'test' },
      );
      if (refusal !== null) throw new Error(`The mail was not accepted: ${refusal}`);
      process.stdout.write(
        `The mail server has accepted it. Check the mailbox of ${to}, and its spam folder.\n`,
      );
    });
}
