import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore

/// A credential, identified by its account and its kind.
package struct Slot: Codable, Hashable, Comparable, Sendable, CustomStringConvertible {
    package enum Kind: String, Codable, CaseIterable, Sendable { case totp, hotp, push }

    /// The number of the account.
    package var account: Int
    package var kind: Kind

    package static let issuer = "Bank"
    package static let names = ["A", "B", "C", "D", "File"]
    /// The number of accounts that users enrol.
    package static let accounts = 4
    /// The index of the account that is imported from a file.
    package static let ofFile = 4
    /// The key of the credential's legacy item.
    package var itemName: String { "\(accountItemName)-\(kind)" }
    /// The key of the legacy item of the credential's account.
    package var accountItemName: String { "\(Self.issuer)-\(accountName)" }

    package var accountName: String { Self.names[account] }
    package var description: String { "\(accountName).\(kind)" }

    package static func < (one: Slot, other: Slot) -> Bool { one.description < other.description }

    package init(account: Int, kind: Kind) {
        (self.account, self.kind) = (account, kind)
    }

    init?(accountName: String, kind: String) {
        guard let account = Self.names.firstIndex(of: accountName), let kind = Kind(rawValue: kind) else {
            return nil
        }
        self.init(account: account, kind: kind)
    }
}

/// The values of a credential that a release shows.
package struct Shown: Equatable, Sendable {
    package var slot: Slot
    package var id: String
    package var secret: String
    package var counter: Int?
    package var name: String?
    package var isLocked = false
}

/// The app's previous release.
///
/// This release behaves as the legacy SDK is known to behave, and works on the legacy SDK's keychain items.
struct OldRelease {
    private let keychain: SimulatedKeychain
    private let key: SimulatedItemKey?
    private let now: Date

    init(_ keychain: SimulatedKeychain, _ key: SimulatedItemKey? = nil, at now: Date) {
        (self.keychain, self.key, self.now) = (keychain, key, now)
    }

    /// Returns the credentials that the release shows; unreadable credentials are left out.
    func shown() -> [Shown] {
        let accounts = accounts()
        return mechanisms().compactMap { mechanism -> Shown? in
            guard var shown = Shown(mechanism),
                let account = accounts.first(where: { $0.profile.key == mechanism.account })
            else { return nil }
            shown.name = account.profile.customDisplayAccountName ?? account.profile.accountName
            shown.isLocked = account.profile.isLocked
            return shown
        }
    }

    func enrol(_ slot: Slot, id: String, secret: String, counter: Int, hasPolicy: Bool) -> Bool {
        let key = AccountKey(issuer: Slot.issuer, accountName: slot.accountName)
        let parameters = LegacyOathParameters(algorithm: "sha1", digits: 6)
        let factor: LegacyFactor
        switch slot.kind {
        case .totp: factor = .totp(parameters, period: 30)
        case .hotp: factor = .hotp(parameters, counter: counter)
        case .push:
            let registration = LegacyRegistration(
                messageId: "REGISTER:0",
                challenge: SharedSecret(utf8: "Y2hhbGxlbmdl")
            )
            factor = .push(
                LegacyPushParameters(
                    registrationEndpoint: Wire.address + "?_action=register",
                    authenticationEndpoint: Wire.address + "?_action=authenticate",
                    registration: registration
                )
            )
        }
        guard let shared = SharedSecret(utf8: secret) else { return false }
        let mechanism = LegacyMechanism(
            mechanismUUID: id,
            account: key,
            secret: shared,
            timeAdded: now,
            factor: factor
        )
        guard (try? keychain.data(name(.mechanism, mechanism.identifier))) == .some(nil) else { return false }
        if !accounts().contains(where: { $0.profile.key == key }) {
            var profile = AccountProfile(key)
            profile.policies = hasPolicy ? #"{"whole":{}}"# : #"{"\#(ManualPolicy.ownName)":{}}"#
            guard set(.account(LegacyAccount(profile: profile, timeAdded: now))) else { return false }
        }
        return set(.mechanism(mechanism))
    }

    /// Removes an account with its mechanisms.
    /// - Returns: The credentials that were removed.
    func remove(account number: Int) -> [Slot] {
        guard let found = account(number) else { return [] }
        var removed: [Slot] = []
        for mechanism in mechanisms() where mechanism.account == found.profile.key {
            guard remove(mechanism) else { return removed }
            let kind = mechanism.kind.rawValue
            if let slot = Slot(accountName: mechanism.account.accountName, kind: kind) {
                removed.append(slot)
            }
        }
        _ = remove(.account, found.identifier)
        return removed
    }

    func remove(_ slot: Slot) -> [Slot] {
        guard let mechanism = mechanism(slot) else { return [] }
        return remove(mechanism) ? [slot] : []
    }

    /// Removes the notifications of a mechanism, and then the mechanism; returns whether the mechanism was removed.
    private func remove(_ mechanism: LegacyMechanism) -> Bool {
        for record in mechanism.kind == .push ? records(.notification) : [] {
            guard case .notification(let push) = record, push.credentialId == mechanism.mechanismUUID else {
                continue
            }
            _ = remove(.notification, record.identifier)
        }
        return remove(.mechanism, mechanism.identifier)
    }

    /// Makes a one-time password of an HOTP credential.
    /// - Returns: The counter of the one-time password, and the secret; `nil` if the release made none.
    func code(_ slot: Slot) -> (counter: Int, secret: String)? {
        guard var mechanism = mechanism(slot), case .hotp(let parameters, let counter) = mechanism.factor
        else {
            return nil
        }
        mechanism.factor = .hotp(parameters, counter: counter + 1)
        return set(.mechanism(mechanism)) ? (counter, mechanism.secret.withUTF8 { $0 }.plainSecret) : nil
    }

    func rename(_ number: Int, to name: String) -> Bool {
        guard var found = account(number) else { return false }
        found.profile.name(nil, name)
        return set(.account(found))
    }

    func setLock(_ isLocked: Bool, of number: Int) -> Bool {
        guard var found = account(number), found.profile.isLocked != isLocked,
            found.profile.policies?.contains(ManualPolicy.ownName) == true
        else { return false }
        (found.profile.isLocked, found.profile.lockingPolicy) = (
            isLocked, isLocked ? ManualPolicy.ownName : nil
        )
        return set(.account(found))
    }

    private func opened(_ data: Data) throws -> Data {
        guard let key, data.first == 4 else { return data }
        return try key.open(data)
    }

    /// Seals an archive.
    ///
    /// If the device has no key, the SDK writes unsealed items.
    private func sealed(_ archive: Data) throws -> Data {
        guard let key, key.isPresent else { return archive }
        return try key.seal(archive)
    }

    private func account(_ number: Int) -> LegacyAccount? {
        accounts().first { $0.profile.accountName == Slot.names[number] }
    }

    private func mechanism(_ slot: Slot) -> LegacyMechanism? {
        mechanisms().first {
            $0.account.accountName == slot.accountName && $0.kind.rawValue == slot.kind.rawValue
        }
    }

    private func accounts() -> [LegacyAccount] {
        records(.account).compactMap { if case .account(let account) = $0 { account } else { nil } }
    }

    private func mechanisms() -> [LegacyMechanism] {
        records(.mechanism).compactMap { if case .mechanism(let mechanism) = $0 { mechanism } else { nil } }
    }

    private func records(_ service: LegacyService) -> [LegacyRecord] {
        // The SDK lists only one item for each key.
        let accounts = Set((try? keychain.accounts(service: service.rawValue, accessGroup: nil)) ?? [])
            .sorted()
        return accounts.compactMap { account in
            guard let data = try? keychain.data(name(service, account)) else { return nil }
            return try? LegacyRecord(archive: opened(data), service: service)
        }
    }

    private func set(_ record: LegacyRecord) -> Bool {
        let service: LegacyService
        switch record {
        case .account: service = .account
        case .mechanism: service = .mechanism
        case .notification: service = .notification
        case .deviceToken: service = .deviceToken
        }
        let name = name(service, record.identifier)
        do {
            let data = try sealed(record.archive)
            if try keychain.data(name) == nil {
                try keychain.add(KeychainItem(name, data: data))
            } else {
                try keychain.update(name, data: data)
            }
            return true
        } catch {
            return false
        }
    }

    private func remove(_ service: LegacyService, _ key: String) -> Bool {
        (try? keychain.remove(name(service, key))) ?? false
    }

    private func name(_ service: LegacyService, _ key: String) -> KeychainItem.Name {
        KeychainItem.Name(service: service.rawValue, account: key)
    }
}
