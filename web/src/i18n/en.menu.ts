/** Texts of the menu, and of whether a table was dealt fairly. */
export const menu = {
  // The menu.
  minute_game: 'How to play in a minute',
  print_menu: 'Print cards and sheets',
  bot_for_me: 'Your seat is played by',
  campaign_keep: 'Save as campaign',
  campaign_keep_text: 'One private link for your group, between sessions. It keeps:',
  campaign_keeps_seats: 'every player’s seat and link',
  campaign_keeps_characters: 'every character as it is, NPCs and the dead, too',
  campaign_keeps_rules: 'the house rules',
  campaign_keeps_recap: 'each session’s recap and replay',
  campaign_keeps_notes: 'your notes',
  campaign_drops: 'not the cards in play: each session deals anew',
  campaign_go: 'Open campaign',
  last_game: 'Replay the last game',
  change_name: 'Your name',
  look: 'Theme',
  look_device: 'System',
  look_dark: 'Dark',
  look_light: 'Light',
  four_colours: 'Four-colour deck',
  turn: 'When it’s my turn',
  turn_sound: 'Sound',
  turn_vibrate: 'Vibration',
  turn_notify: 'Notifications',
  turn_notify_not_here: 'Notifications need an https address, or Cardhouse installed as an app.',
  turn_notify_denied: 'Blocked. Allow notifications in your browser’s site settings.',
  plain_view: 'Basic view',
  plain_view_text: 'Everything as a list, every action as a form.',
  transcript: 'Save transcript',
  transcript_text: 'The whole game as a text file.',
  end_table: 'End table',
  end_table_how: 'Everyone gets a 10-second warning. You can cancel.',

  // The verified deal.
  fair: 'Verified deal',
  fair_text:
    'A secret seed (fingerprint below) and the id of each move decide every card. The server publishes the seed at the end; this device then checks every card.',
  fair_none: 'This table continues a saved transcript, so its cards can’t be checked.',
  fair_log: 'Log up to entry {n}. Compare this code on other devices:',
  fair_device: 'This device takes part in every draw, as device {n}.',
  fair_no_device: 'This device doesn’t take part in draws right now.',
  fair_save: 'Save witness file',
  fair_save_text: 'This device’s copy of the log. Check a transcript against it with “cardhouse verify --witness”.',
  fair_check: 'Check again',
  fair_checking: 'Checking every card…',
  fair_failed: 'Couldn’t check the deal. {why}',
  fair_verdict: 'Verified: {cards:count:the one card matches|all # cards match} the seed.',
  fair_verdict_nothing: 'The server dealt no cards, so there are none to check.',
  fair_verdict_dice: 'Verified: {cards:count:one card|# cards} and {dice:count:one die|# dice} match the seed.',
  fair_rounds: 'Devices took part in {n:count:one draw|# draws}.',
  fair_alone: 'No device took part in {n:count:one draw|# draws}.',
  fair_withheld: '{who:seat} broke off {n:count:one draw|# draws}.',
  fair_withheld_how:
    'A draw that is broken off is dealt again without that player. Either the device slept, or its owner saw the card and wanted another.',
  fair_left: 'Devices of {who:seat} left {n:count:once|# times}.',
  fair_older:
    'The cards match the seed. An older version dealt {n:count:one draw|# draws}: its log can’t show that the host didn’t choose the cards.',
  fair_taken_back_card: '{what:card}, line {line} of the transcript, by {who:seat}',
  fair_taken_back_die: '{what}, rolled in line {line} of the transcript, by {who:seat}',
  fair_witnessed: 'The log matches this device’s copy: {n:count:one entry|# entries}.',
  fair_named: 'Players entered {n:count:one card or roll|# cards and rolls}, which can’t be checked.',
  fair_taken_back: 'Dealt and undone ({n}):',
  fair_commitment:
    'This table’s seed fingerprint has changed since this device joined. Its cards aren’t the promised ones.',
  fair_header: 'This isn’t the table this device joined: its game or house rules differ.',
  fair_changed: 'Log entry {n} differs from the one this device received. The server changed its log.',
  fair_lost: 'The server has lost everything after entry {n}.',
  fair_asked_twice:
    'The server asked this device twice in round {round} of the deal. The second time, the device refused. The server may be trying out cards.',
  fair_missing:
    'This device contributed to round {round} of the deal, but the log doesn’t say so. The server may have drawn a card and thrown it away, or stopped in the middle of a draw.',
  fair_other_link: 'For round {round} of the deal, the log doesn’t have what this device contributed.',
  fair_said_away:
    'The log says that this device contributed nothing to round {round} of the deal, but it did. It may have been too late.',
  fair_other_draw:
    'For round {round} of the deal, the log has another move or other devices than this device was shown. The server may have picked the cards.',
  fair_unused:
    'This device contributed to round {round} of the deal, but nothing was dealt from it. The server may have drawn a card and thrown it away, or it couldn’t save.',
  fair_not_asked:
    'The log says that this device was away in round {round} of the deal. It was here, and the server didn’t ask it.',
  fair_left_out: 'Entry {n} was dealt without this device, although it was here. The server may have picked the cards.',
  fair_replaced: 'This device no longer takes part in the deals: another device with this seat’s link took its place.',
  fair_more: '({n:count:One more|# more} of this kind.)',
  fair_verdict_part:
    'Verified in part: this device took part in {drawn} of {rounds:count:one draw|# draws}. It can’t vouch for the others.',
  fair_verdict_absent:
    'The cards match the seed. This device took no part in {rounds:count:the only draw|any of the # draws}, so it can’t vouch for them.',
  fair_doubt: 'Not shown to be fair.',
  fair_doubt_why:
    'The cards match the seed, but some may have been drawn and thrown away. See “Verified deal” in the menu.',
  fair_missed: 'It missed {n:count:one draw|# draws}: {n:count:entry|entries} {entries}.',
  fair_took_part: 'Device {number}, of {who:seat}, took part in {n} of {draws:count:one draw|# draws}.',
  fair_gap:
    'Rounds {first} to {last} of the deal are missing from the log. This also happens when a server stops in the middle of a draw.',
  fair_unused_rounds: 'In {n:count:one round|# rounds} all devices contributed, but nothing was dealt.',
  unfair: 'Not verified.',
  unfair_commitment: 'The transcript’s seed differs from the one promised at this table.',
  unfair_header: 'The transcript is from another game, or has other house rules.',
  unfair_not_ended: 'The seed wasn’t published.',
  unfair_seed: 'The published seed isn’t the promised one.',
  unfair_card: 'Line {line} of the transcript doesn’t match the seed.',
  unfair_order: 'Line {line} of the transcript was drawn from cards in the wrong order.',
  unfair_id: 'The move in line {line} of the transcript drew with an id that was known beforehand.',
  unfair_links: 'In line {line} of the transcript, the devices’ contributions are missing or wrong.',
  unfair_fixed:
    'The draw in line {line} of the transcript isn’t the one that the devices were asked for: its move or its devices differ.',
  unfair_again:
    'The draw in line {line} of the transcript asked a player again who had broken it off before, and could choose a card.',
  unfair_log: 'Log entries {first} to {last} differ from this device’s copy.',
  unfair_link: 'In round {round} this device contributed to a different move from line {line} of the transcript.',
  unfair_unreadable: 'Can’t read the transcript.',
} as const
