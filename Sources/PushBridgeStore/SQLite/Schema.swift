import GRDB
import PushBridgeCore

/// The tables of a store, as named steps from one version to the next.
///
/// A step that was released never changes; a new version appends a step. Dates are seconds since 2001, flags
/// are 0 and 1, sealed values are BLOBs. `STRICT` makes SQLite refuse values of another kind. Text that
/// identifies is compared byte for byte.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1 credentials") { db in
            try db.execute(sql: credentials)
        }
        migrator.registerMigration("v1 notifications") { db in
            try db.execute(sql: notifications)
        }
        migrator.registerMigration("v1 migration ledger") { db in
            try db.execute(sql: ledger)
        }
        migrator.registerMigration("v2 answer claims") { db in
            try db.execute(sql: answerClaims)
        }
        migrator.registerMigration("v3 token confirmations") { db in
            try db.execute(sql: tokenConfirmations)
        }
        migrator.registerMigration("v4 custom handlers") { db in
            try db.execute(sql: customHandlers)
        }
        return migrator
    }

    private static let account = """
        issuer TEXT NOT NULL,
        account_name TEXT NOT NULL,
        custom_issuer TEXT,
        custom_account_name TEXT,
        image_url TEXT,
        background_color TEXT,
        policies TEXT,
        locking_policy TEXT,
        is_locked INTEGER NOT NULL
        """

    private static let legacy = """
        is_legacy INTEGER NOT NULL,
        legacy_version INTEGER,
        legacy_account_added_at REAL,
        legacy_secret_spelling BLOB,
        has_registration INTEGER NOT NULL,
        registration_message_id TEXT,
        registration_challenge BLOB,
        registration_load_balancer TEXT
        """

    private static let credentials = """
        CREATE TABLE key_check (
            id TEXT PRIMARY KEY NOT NULL,
            proof BLOB NOT NULL
        ) STRICT;

        CREATE TABLE push_credential (
            id TEXT PRIMARY KEY NOT NULL,
            \(account),
            user_id TEXT,
            device_resource_id TEXT,
            registration_endpoint TEXT NOT NULL,
            authentication_endpoint TEXT NOT NULL,
            secret BLOB NOT NULL,
            created_at REAL NOT NULL,
            \(legacy)
        ) STRICT;
        CREATE INDEX push_credential_by_age ON push_credential (created_at, id);
        CREATE INDEX push_credential_by_account ON push_credential (issuer, account_name, created_at, id);

        CREATE TABLE oath_credential (
            id TEXT PRIMARY KEY NOT NULL,
            \(account),
            user_id TEXT,
            resource_id TEXT,
            secret BLOB NOT NULL,
            algorithm TEXT NOT NULL,
            digits INTEGER NOT NULL,
            period INTEGER,
            counter INTEGER,
            created_at REAL NOT NULL,
            \(legacy),
            CHECK ((period IS NULL) <> (counter IS NULL))
        ) STRICT;
        CREATE INDEX oath_credential_by_age ON oath_credential (created_at, id);
        CREATE INDEX oath_credential_by_account ON oath_credential (issuer, account_name, created_at, id);

        CREATE TABLE device_token (
            id TEXT PRIMARY KEY NOT NULL,
            token_id BLOB NOT NULL,
            created_at REAL NOT NULL
        ) STRICT;
        """

    private static let notifications = """
        CREATE TABLE notification (
            id TEXT PRIMARY KEY NOT NULL,
            credential_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            challenge TEXT NOT NULL,
            ttl INTEGER NOT NULL,
            sent_at REAL NOT NULL,
            created_at REAL NOT NULL,
            push_type TEXT NOT NULL,
            message_text TEXT,
            custom_payload TEXT,
            numbers_challenge TEXT,
            context_info TEXT,
            load_balancer TEXT,
            pending INTEGER NOT NULL,
            approved INTEGER NOT NULL,
            responded_at REAL,
            legacy_ttl REAL,
            legacy_push_type TEXT
        ) STRICT;
        CREATE INDEX notification_by_age ON notification (sent_at, id);
        CREATE INDEX notification_by_credential ON notification (credential_id, sent_at, id);
        CREATE INDEX notification_by_message ON notification (message_id, sent_at, id);
        CREATE INDEX notification_pending ON notification (sent_at, id) WHERE pending = 1;
        """

    private static let answerClaims = """
        ALTER TABLE notification ADD COLUMN claim_id TEXT;
        ALTER TABLE notification ADD COLUMN claim_expires_at REAL;
        """

    private static let tokenConfirmations = """
        ALTER TABLE device_token ADD COLUMN unconfirmed TEXT;
        """

    private static let customHandlers = """
        ALTER TABLE notification ADD COLUMN custom_handler TEXT;
        """

    private static let ledger = """
        CREATE TABLE ledger (
            sequence INTEGER PRIMARY KEY,
            fingerprint BLOB NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            outcome TEXT NOT NULL,
            credential_id TEXT,
            reason TEXT,
            is_verified INTEGER NOT NULL,
            recorded_at REAL NOT NULL
        ) STRICT;

        CREATE TABLE preserved_record (
            sequence INTEGER PRIMARY KEY,
            fingerprint BLOB NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            outcome TEXT NOT NULL,
            format TEXT NOT NULL,
            payload BLOB NOT NULL
        ) STRICT;
        """
}
