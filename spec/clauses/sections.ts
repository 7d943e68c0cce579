/** The sections of the specification: number and title, in order. Their clauses are in section-*.ts. */

/** A numbered section of the specification, its title in our words. */
export interface Section {
  readonly section: string;
  readonly title: string;
}

const titles: readonly (readonly [section: string, title: string])[] = [
  ['1', 'The service at a glance'],
  ['2', 'Resources: common conventions'],
  ['2.1', 'Agent object'],
  ['2.2', 'Metadata given at registration'],
  ['2.3', 'Start of a beat chain'],
  ['2.4', 'Beat proof'],
  ['2.5', 'Work proof and receipt'],
  ['2.6', 'Passport'],
  ['2.7', 'SIGIL object'],
  ['2.8', 'Metadata that a SIGIL holder can change'],
  ['2.9', 'Fee object'],
  ['2.10', 'Sponsorship object'],
  ['2.11', 'Subsidy object'],
  ['2.12', 'Flag object'],
  ['2.13', 'Webhook configuration'],
  ['3', 'States and how they change'],
  ['3.1', 'Agent states'],
  ['3.2', 'Wallet states'],
  ['3.3', 'SIGIL states'],
  ['3.4', 'Sponsorship states'],
  ['3.5', 'Flag states'],
  ['3.6', 'Steps of a spawn'],
  ['4', 'Endpoints: how requests travel'],
  ['4.1', 'Table of endpoints'],
  ['4.2', 'Registration'],
  ['4.3', 'Registration token'],
  ['4.4', 'Init'],
  ['4.5', 'Heartbeat'],
  ['4.6', 'SIGIL purchase'],
  ['4.7', 'Reissue of a passport'],
  ['4.8', 'Spawn'],
  ['4.9', 'Beat submission'],
  ['4.10', 'Resync'],
  ['4.11', 'Metadata change'],
  ['4.12', 'Wallet link'],
  ['4.13', 'Sponsor'],
  ['4.14', 'Batch verification'],
  ['4.15', 'Check-in (retired)'],
  ['4.16', 'Flag'],
  ['4.17', 'Admin subsidy'],
  ['4.18', 'Partner webhook'],
  ['5', 'Credentials'],
  ['6', 'Events and their delivery'],
  ['7', 'Errors'],
  ['8', 'Limits and constants'],
  ['9', 'Versions'],
];

/** Every numbered section in the order of the specification. Deeply frozen. */
export const sections: readonly Section[] = Object.freeze(
  titles.map(([section, title]) => Object.freeze({ section, title })),
);
