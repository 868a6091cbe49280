public import Foundation
public import LegacyStore
public import PushBridgeCore

// This file gives this repository's tools and benchmarks access to types and members that apps cannot use.

extension LegacyRecordError {
    /// The code with which a migration reports this error.
    public var reasonCode: MigrationReason {
        if let code = issue.code { return code }
        return switch code {
        case .damaged: .damaged
        case .unsupported: .unsupported
        case .locked: .locked
        case .undecryptable: .undecryptable
        }
    }
}

extension LegacyItem {
    /// The values that the tools use from a decoded item.
    public struct Contents {
        /// The kind of record.
        public let kind: LegacyRecordKind
        /// The accounts in the item.
        ///
        /// An account record contains the account itself; a mechanism's record may contain a copy of its account.
        public fileprivate(set) var accounts: [AccountProfile] = []
        /// The account of a mechanism; `nil` for other records.
        public fileprivate(set) var accountOfMechanism: AccountKey?
        /// The id of a mechanism's credential; `nil` for other records.
        public fileprivate(set) var credentialId: String?
        /// The secret of a mechanism; `nil` for other records.
        public fileprivate(set) var secret: SharedSecret?
        /// The reason why the record cannot sign, in one sentence.
        ///
        /// The value is `nil` if the record can sign, or if records of this kind never sign.
        public let problem: String?
    }

    /// Decodes the item.
    ///
    /// - Throws: ``LegacyRecordError`` if the item contains no record that can be decoded.
    public func contents() throws(LegacyRecordError) -> Contents {
        let decoded = try decoded()
        var contents = Contents(kind: decoded.record.kind, problem: signingFault(decoded)?.reason)
        if let account = decoded.embeddedAccount { contents.accounts.append(account.profile) }
        switch decoded.record {
        case .account(let account): contents.accounts.append(account.profile)
        case .mechanism(let mechanism):
            contents.accountOfMechanism = mechanism.account
            contents.credentialId = mechanism.mechanismUUID
            contents.secret = mechanism.secret
        case .notification, .deviceToken: break
        }
        return contents
    }
}

/// A keyed archive in the format of the legacy SDK 4.9, and the archive's place in the keychain.
///
/// The archive contains unencrypted secrets.
public struct LegacyArchive: Sendable {
    /// A mechanism to archive.
    public struct Mechanism: Sendable {
        private let id: String
        private let account: AccountKey
        private let secret: SharedSecret
        private let timeAdded: Date
        /// The user's id at the server.
        public var uid: String?

        /// Creates a mechanism.
        ///
        /// - Parameters:
        ///   - id: The mechanism's UUID.
        ///   - account: The mechanism's account.
        ///   - secret: The text of the secret: in base64 for push, in base32 for one-time passwords.
        ///   - timeAdded: The date when the mechanism was added.
        public init(id: String, account: AccountKey, secret: SharedSecret, timeAdded: Date) {
            self.id = id
            self.account = account
            self.secret = secret
            self.timeAdded = timeAdded
        }

        fileprivate func record(_ factor: LegacyFactor) -> LegacyRecord {
            var mechanism = LegacyMechanism(
                mechanismUUID: id,
                account: account,
                secret: secret,
                timeAdded: timeAdded,
                factor: factor
            )
            mechanism.version = 1
            mechanism.uid = uid
            return .mechanism(mechanism)
        }

        fileprivate func push(_ service: String, _ challenge: SharedSecret?) -> LegacyRecord {
            let registration = LegacyRegistration(
                messageId: "REGISTER:\(id)",
                challenge: challenge,
                loadBalancer: "amlbcookie=01"
            )
            return record(
                .push(
                    LegacyPushParameters(
                        registrationEndpoint: "\(service)?_action=register",
                        authenticationEndpoint: "\(service)?_action=authenticate",
                        registration: registration
                    )
                )
            )
        }
    }

    /// The keychain service under which the legacy SDK stores the archive.
    public let service: LegacyService
    /// The key under which the legacy SDK stores the archive.
    public let key: String
    /// The archive.
    public let data: Data

    private init(_ record: LegacyRecord) {
        service = record.service
        key = record.identifier
        data = record.archive
    }

    /// Archives an account.
    public init(_ account: AccountProfile, timeAdded: Date) {
        self.init(.account(LegacyAccount(profile: account, timeAdded: timeAdded)))
    }

    /// Archives a push mechanism.
    ///
    /// - Parameters:
    ///   - mechanism: The mechanism.
    ///   - service: The address of the server's push service, without a query.
    ///   - challenge: The challenge of the mechanism's registration, in base64.
    public init(push mechanism: Mechanism, service: String, challenge: SharedSecret?) {
        self.init(mechanism.push(service, challenge))
    }

    /// Archives a mechanism for one-time passwords of six digits.
    ///
    /// - Parameters:
    ///   - mechanism: The mechanism.
    ///   - algorithm: The hash function's name.
    ///   - movingFactor: The moving factor of the one-time passwords: time or a counter.
    public init(oath mechanism: Mechanism, algorithm: String, movingFactor: OathMovingFactor) {
        let parameters = LegacyOathParameters(algorithm: algorithm, digits: 6)
        switch movingFactor {
        case .time(let period): self.init(mechanism.record(.totp(parameters, period: period)))
        case .counter(let counter): self.init(mechanism.record(.hotp(parameters, counter: counter)))
        }
    }

    /// Archives a notification in its legacy form.
    public init(_ notification: PushNotification) { self.init(.notification(notification)) }

    /// Archives a device token.
    public init(_ token: PushDeviceToken) { self.init(.deviceToken(token)) }

    /// Decodes the archive in order to check it.
    ///
    /// - Throws: ``LegacyRecordError`` if the archive is damaged.
    public func read() throws(LegacyRecordError) { _ = try LegacyRecord(archive: data, service: service) }
}

/// Writes a new file for the tools, with mode 0600.
///
/// The file appears completely or not at all.
public struct NewToolFile {
    private let file: NewLegacyFile

    /// Creates a writer; the file appears only after ``finish()``.
    ///
    /// - Parameters:
    ///   - url: The file's URL.
    ///   - replacing: Whether the new file replaces an existing file; `false` makes an existing file an error.
    /// - Throws: ``LegacyStoreError``: with the code `notWritable` if the file cannot be created, or exists and
    ///   `replacing` is `false`; with the code `locked` if another run is writing the file.
    public init(_ url: URL, replacing: Bool) throws(LegacyStoreError) {
        file = try NewLegacyFile(url, replacing: replacing)
    }

    /// Writes the next bytes.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the bytes cannot be written.
    public func write(_ bytes: Data) throws(LegacyStoreError) { try file.write(bytes) }

    /// Publishes the file durably under its name.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be published.
    public func finish() throws(LegacyStoreError) { try file.finish() }
}
