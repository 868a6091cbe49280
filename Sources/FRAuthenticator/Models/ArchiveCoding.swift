import Foundation
import LegacyStore
import PushBridgeCore

/// Reads the fields of a legacy archive from Foundation's unarchiver.
///
/// A field that is absent, null or of another type is `nil`; nothing here traps. The exception is a text in place of a
/// number, which Foundation reads as 0 on Linux.
struct ArchiveReader {
    let coder: NSCoder

    func text(_ key: LegacyArchiveKey) -> String? {
        guard coder.containsValue(forKey: key.rawValue) else { return nil }
        return coder.decodeObject(of: [NSString.self], forKey: key.rawValue) as? String
    }

    func secret(_ key: LegacyArchiveKey) -> SharedSecret? {
        text(key).flatMap { SharedSecret(utf8: $0) }
    }

    func integer(_ key: LegacyArchiveKey) -> Int? {
        coder.containsValue(forKey: key.rawValue) ? coder.decodeInteger(forKey: key.rawValue) : nil
    }

    func number(_ key: LegacyArchiveKey) -> Double? {
        guard coder.containsValue(forKey: key.rawValue) else { return nil }
        let number = coder.decodeDouble(forKey: key.rawValue)
        return number.isFinite ? number : nil
    }

    func date(_ key: LegacyArchiveKey) -> Date? {
        number(key).map { Date(timeIntervalSince1970: $0) }
    }

    func flag(_ key: LegacyArchiveKey) -> Bool {
        coder.containsValue(forKey: key.rawValue) && coder.decodeBool(forKey: key.rawValue)
    }
}

/// Writes the fields of a legacy archive through Foundation's archiver.
struct ArchiveWriter {
    let coder: NSCoder

    /// Writes a text, or the null object for `nil`.
    func write(_ text: String?, for key: LegacyArchiveKey) {
        coder.encode(text.map { NSString(string: $0) }, forKey: key.rawValue)
    }

    /// Writes the text of a secret; the legacy archive holds it in clear.
    func write(_ secret: SharedSecret, for key: LegacyArchiveKey) {
        write(secret.withUTF8 { $0 }, for: key)
    }

    /// Writes an integer, or nothing for `nil`.
    func write(_ integer: Int?, for key: LegacyArchiveKey) {
        guard let integer else { return }
        coder.encode(integer, forKey: key.rawValue)
    }

    func write(_ number: Double, for key: LegacyArchiveKey) {
        coder.encode(number, forKey: key.rawValue)
    }

    /// Writes a date as seconds since 1970.
    func write(_ date: Date, for key: LegacyArchiveKey) {
        write(date.timeIntervalSince1970, for: key)
    }

    func write(_ flag: Bool, for key: LegacyArchiveKey) {
        coder.encode(flag, forKey: key.rawValue)
    }
}

extension LegacyAccount {
    /// Reads an archived account; `nil` if a field it cannot do without is not there.
    init?(_ archive: ArchiveReader) {
        guard
            let issuer = archive.text(.issuer),
            let accountName = archive.text(.accountName),
            let timeAdded = archive.date(.timeAdded)
        else { return nil }
        var profile = AccountProfile(issuer: issuer, accountName: accountName)
        profile.customDisplayIssuer = archive.text(.displayIssuer)
        profile.customDisplayAccountName = archive.text(.displayAccountName)
        profile.imageURL = archive.text(.imageURL)
        profile.backgroundColor = archive.text(.backgroundColor)
        profile.policies = archive.text(.policies)
        profile.lockingPolicy = archive.text(.lockingPolicy)
        profile.isLocked = archive.flag(.lock)
        self.init(profile: profile, timeAdded: timeAdded)
    }

    func write(to archive: ArchiveWriter) {
        archive.write(profile.issuer, for: .issuer)
        archive.write(profile.customDisplayIssuer, for: .displayIssuer)
        archive.write(profile.accountName, for: .accountName)
        archive.write(profile.customDisplayAccountName, for: .displayAccountName)
        archive.write(profile.imageURL, for: .imageURL)
        archive.write(profile.backgroundColor, for: .backgroundColor)
        archive.write(timeAdded, for: .timeAdded)
        archive.write(profile.policies, for: .policies)
        archive.write(profile.lockingPolicy, for: .lockingPolicy)
        archive.write(profile.isLocked, for: .lock)
    }
}

extension LegacyMechanism {
    /// Reads an archived mechanism of a kind; `nil` if a field it cannot do without is not there.
    init?(_ archive: ArchiveReader, kind: LegacyRecordKind) {
        guard
            let uuid = archive.text(.mechanismUUID), !uuid.isEmpty,
            let issuer = archive.text(.issuer),
            let accountName = archive.text(.accountName),
            let secret = archive.secret(.secret),
            let timeAdded = archive.date(.timeAdded),
            archive.text(.type) ?? kind.rawValue == kind.rawValue,
            let factor = LegacyFactor(archive, kind: kind)
        else { return nil }
        self.init(
            mechanismUUID: uuid,
            account: AccountKey(issuer: issuer, accountName: accountName),
            secret: secret,
            timeAdded: timeAdded,
            factor: factor
        )
        version = archive.integer(.version)
        uid = archive.text(.uid)
        resourceId = archive.text(.resourceId)
    }

    func write(to archive: ArchiveWriter) {
        archive.write(mechanismUUID, for: .mechanismUUID)
        archive.write(kind.rawValue, for: .type)
        archive.write(version, for: .version)
        archive.write(secret, for: .secret)
        archive.write(account.issuer, for: .issuer)
        archive.write(account.accountName, for: .accountName)
        archive.write(uid, for: .uid)
        archive.write(resourceId, for: .resourceId)
        archive.write(timeAdded, for: .timeAdded)
        factor.write(to: archive)
    }
}

extension LegacyFactor {
    /// Reads what an archived mechanism of a kind adds; `nil` if a field it cannot do without is not there.
    init?(_ archive: ArchiveReader, kind: LegacyRecordKind) {
        switch kind {
        case .push:
            guard let parameters = LegacyPushParameters(archive) else { return nil }
            self = .push(parameters)
        case .totp:
            guard let parameters = LegacyOathParameters(archive), let period = archive.integer(.period)
            else { return nil }
            self = .totp(parameters, period: period)
        case .hotp:
            guard let parameters = LegacyOathParameters(archive), let counter = archive.integer(.counter)
            else { return nil }
            self = .hotp(parameters, counter: counter)
        case .account, .notification, .deviceToken, .unknown:
            return nil
        }
    }

    func write(to archive: ArchiveWriter) {
        switch self {
        case .push(let parameters):
            parameters.write(to: archive)
        case .totp(let parameters, let period):
            parameters.write(to: archive)
            archive.write(period, for: .period)
        case .hotp(let parameters, let counter):
            parameters.write(to: archive)
            archive.write(counter, for: .counter)
        }
    }
}

extension LegacyPushParameters {
    fileprivate init?(_ archive: ArchiveReader) {
        guard
            let registrationEndpoint = archive.text(.registrationEndpoint),
            let authenticationEndpoint = archive.text(.authenticationEndpoint)
        else { return nil }
        self.init(
            registrationEndpoint: registrationEndpoint,
            authenticationEndpoint: authenticationEndpoint,
            registration: LegacyRegistration(
                messageId: archive.text(.messageId).flatMap { $0.isEmpty ? nil : $0 },
                challenge: archive.secret(.challenge),
                loadBalancer: archive.text(.loadBalancer)
            )
        )
    }

    fileprivate func write(to archive: ArchiveWriter) {
        archive.write(authenticationEndpoint, for: .authenticationEndpoint)
        archive.write(registrationEndpoint, for: .registrationEndpoint)
        // The legacy SDK cannot do without these two; empty is read as absent.
        archive.write(registration.messageId ?? "", for: .messageId)
        archive.write(registration.challenge.map { $0.withUTF8 { $0 } } ?? "", for: .challenge)
        archive.write(registration.loadBalancer, for: .loadBalancer)
    }
}

extension LegacyOathParameters {
    fileprivate init?(_ archive: ArchiveReader) {
        guard let digits = archive.integer(.digits) else { return nil }
        self.init(algorithm: archive.text(.algorithm) ?? "sha1", digits: digits)
    }

    fileprivate func write(to archive: ArchiveWriter) {
        archive.write(algorithm, for: .algorithm)
        archive.write(digits, for: .digits)
    }
}

extension LegacyNotification {
    /// Reads an archived notification; `nil` if a field it cannot do without is not there.
    init?(_ archive: ArchiveReader) {
        guard
            let messageId = archive.text(.messageId),
            let challenge = archive.text(.challenge),
            let mechanismUUID = archive.text(.mechanismUUID),
            let ttl = archive.number(.ttl),
            let timeAdded = archive.date(.timeAdded)
        else { return nil }
        self.init(
            message: PushMessage(id: messageId, challenge: challenge),
            mechanismUUID: mechanismUUID,
            ttl: ttl,
            timeAdded: timeAdded
        )
        pending = archive.flag(.pending)
        approved = archive.flag(.approved)
        loadBalancer = archive.text(.loadBalanceKey)
        customPayload = archive.text(.customPayload)
        messageText = archive.text(.message)
        pushType = archive.text(.pushType)
        numbersChallenge = archive.text(.numbersChallenge)
        contextInfo = archive.text(.contextInfo)
    }

    func write(to archive: ArchiveWriter) {
        archive.write(message.id, for: .messageId)
        archive.write(message.challenge, for: .challenge)
        archive.write(loadBalancer, for: .loadBalanceKey)
        archive.write(ttl, for: .ttl)
        archive.write(mechanismUUID, for: .mechanismUUID)
        archive.write(timeAdded, for: .timeAdded)
        archive.write(pending, for: .pending)
        archive.write(approved, for: .approved)
        archive.write(customPayload, for: .customPayload)
        archive.write(messageText, for: .message)
        archive.write(pushType, for: .pushType)
        archive.write(numbersChallenge, for: .numbersChallenge)
        archive.write(contextInfo, for: .contextInfo)
    }
}

extension LegacyRecord {
    /// The `toJson()` text; `nil` if a number cannot be spelled in JSON.
    var legacyText: String? {
        do {
            return String(decoding: try legacyJSON(), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
