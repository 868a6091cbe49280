public import Foundation
public import LegacyStore
public import PushBridgeCore

// Members that this repository's tools and benchmarks need of types that no app sees.

extension LegacyRecordError {
    /// Why the record cannot be used, as the code that a migration gives it.
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
    /// The readable part of an item.
    public struct Contents {
        /// The kind of record.
        public let kind: LegacyRecordKind
        /// The account that the record is, and the one that it repeats.
        public fileprivate(set) var accounts: [AccountProfile] = []
        /// The account of a mechanism; `nil` for other records.
        public fileprivate(set) var accountOfMechanism: AccountKey?
        /// Why the record cannot sign, in a sentence; `nil` if it can, and for records that sign nothing.
        public let problem: String?
    }

    /// Decodes the item.
    ///
    /// - Throws: ``LegacyRecordError`` if the item holds no record, a damaged one, or one that cannot be opened.
    public func contents() throws(LegacyRecordError) -> Contents {
        let decoded = try decoded()
        var contents = Contents(kind: decoded.record.kind, problem: signingFault(decoded)?.reason)
        if let account = decoded.embeddedAccount { contents.accounts.append(account.profile) }
        switch decoded.record {
        case .account(let account): contents.accounts.append(account.profile)
        case .mechanism(let mechanism): contents.accountOfMechanism = mechanism.account
        case .notification, .deviceToken: break
        }
        return contents
    }
}

/// A keyed archive as the last legacy SDK writes it, and where the SDK keeps it; holds secrets in the clear.
public struct LegacyArchive: Sendable {
    /// A mechanism to archive.
    public struct Mechanism: Sendable {
        private let id: String
        private let account: AccountKey
        private let secret: SharedSecret
        private let timeAdded: Date
        /// The user's id at the server.
        public var uid: String?

        /// Describes a mechanism.
        ///
        /// - Parameters:
        ///   - id: The mechanism's UUID.
        ///   - account: The account it belongs to.
        ///   - secret: The text of the secret: base64 for push, base32 for one-time passwords.
        ///   - timeAdded: When the mechanism was added.
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

    /// The service under which the SDK keeps it.
    public let service: LegacyService
    /// The key under which the SDK keeps it.
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
    ///   - challenge: The text of the challenge of its registration, base64.
    public init(push mechanism: Mechanism, service: String, challenge: SharedSecret?) {
        self.init(mechanism.push(service, challenge))
    }

    /// Archives a one-time-password mechanism with codes of six digits.
    ///
    /// - Parameters:
    ///   - mechanism: The mechanism.
    ///   - algorithm: The hash function's name.
    ///   - movingFactor: What moves the code on.
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

    /// Reads the archive.
    ///
    /// - Throws: ``LegacyRecordError`` if it is damaged.
    public func read() throws(LegacyRecordError) { _ = try LegacyRecord(archive: data, service: service) }
}

/// A new file of the tools, which appears whole or not at all, mode 0600.
public struct NewToolFile {
    private let file: NewLegacyFile

    /// Creates a writer that publishes the file only with ``finish()``.
    ///
    /// - Parameters:
    ///   - url: The place.
    ///   - replacing: Whether the new file replaces an existing one; otherwise that one stays, and there is no new one.
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be made, or exists and
    ///   `replacing` is `false`; with `locked` if another run makes it.
    public init(_ url: URL, replacing: Bool) throws(LegacyStoreError) {
        file = try NewLegacyFile(url, replacing: replacing)
    }

    /// Writes the next bytes.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable`.
    public func write(_ bytes: Data) throws(LegacyStoreError) { try file.write(bytes) }

    /// Gives the file its name, durably.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable`.
    public func finish() throws(LegacyStoreError) { try file.finish() }
}
