import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
@_spi(PushBridgeTools) import PingAMSimulator
import PushBridgeCore
import PushBridgeInternals

extension StepPlayer {
    func scan(_ enrol: Step.Enrol) async throws -> [[Delivery]] {
        guard let code = try code(enrol) else { return skipped("No code exists for this step.") }
        codes[enrol.credential] = code
        let deliveries = await side.perform(.enrol(uri: code))
        for case .value(let value) in deliveries.map(\.outcome) {
            if case .string(let id)? = value["id"] { credentials[enrol.credential] = id }
        }
        return [deliveries]
    }

    private func code(_ enrol: Step.Enrol) throws -> String? {
        if let text = enrol.text { return text }
        if let again = enrol.again { return codes[again] }
        var order = RegistrationOrder(
            issuer: enrol.issuer ?? "Example",
            account: enrol.account ?? enrol.credential,
            realm: Realm(enrol.realm ?? "/alpha")
        )
        order.account.policies = enrol.policies
        order.account.imageURL = enrol.imageURL
        order.account.backgroundColor = enrol.backgroundColor
        order.userId = enrol.userId
        order.resourceId = enrol.resourceId
        if environment.server.withService(\.settings.version).hasCombinedCodes {
            switch enrol.oath {
            case "totp": order.codes = OneTimeCodeOrder()
            case "hotp": order.codes = OneTimeCodeOrder(.counter(7))
            default: break
            }
        }
        guard let code = try create(order) else { return nil }
        let registration = code.registration
        signers[enrol.credential] = registration.sharedSecret
        accounts[enrol.credential] = registration.account.key
        name(registration.messageId, as: "\(enrol.credential).code")
        return CodeEditor(code.uri).edited(enrol)
    }

    /// Creates a code; returns `nil` if the user already has a device, because the server then creates no code.
    private func create(_ order: RegistrationOrder) throws -> RegistrationCode? {
        do {
            return try environment.server.createCode(order)
        } catch let error as SimulatorError where error.code == .alreadyRegistered {
            return nil
        } catch let error as SimulatorError {
            throw ParityError(code: .invalidStep, reason: error.reason)
        }
    }

    /// Removes the devices of a credential's user from the server, and registers another phone of the user.
    ///
    /// The phone of the scenario is not notified.
    func enrolElsewhere(_ credential: String) {
        environment.server.withService { service in
            guard let device = credentials[credential].flatMap({ service.devices[$0] }) else { return }
            var other = SimulatedDevice(
                mechanismUid: "other-\(credential)",
                sharedSecret: .random(),
                deviceToken: "ee",
                account: device.account,
                realm: device.realm
            )
            other.userId = device.userId
            service.resetDevices(of: device.user, in: device.realm)
            service.add(other)
        }
    }
}

/// Changes the parameters of a registration URI to imitate codes of other servers and versions.
struct CodeEditor {
    private var label: String
    private var parameters: [(name: String, value: String)]

    init(_ code: String) {
        let parts = code.split(separator: "?", maxSplits: 1)
        label = parts.first.map(String.init) ?? ""
        parameters = parts.dropFirst().joined().split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(pair[0]), pair.dropFirst().joined())
        }
    }

    func edited(_ enrol: Step.Enrol) -> String {
        var copy = self
        let isCombined = label.hasPrefix("mfauth:")
        if let oath = enrol.oath, !isCombined { copy.combine(with: oath) }
        // Standard servers write policies only into combined codes. Customised servers may write policies
        // into any code.
        if let policies = enrol.policies, !isCombined {
            copy.replace("policies", Data(policies.utf8).base64URLText)
        }
        if enrol.standardBase64 == true { copy.spellInStandardBase64() }
        for (name, value) in (enrol.parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
            copy.replace(name, value)
        }
        return "\(copy.label)?\(copy.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&"))"
    }

    /// Converts a push-only code to a combined code.
    ///
    /// The conversion is necessary for versions and senders that create no combined codes.
    private mutating func combine(with oath: String) {
        label = label.replacingOccurrences(of: "pushauth://push/", with: "mfauth://\(oath)/")
        replace("secret", "JBSWY3DPEHPK3PXP")
        replace("digits", "6")
        replace(oath == "hotp" ? "counter" : "period", oath == "hotp" ? "7" : "30")
    }

    private mutating func spellInStandardBase64() {
        let binary: Set = ["s", "c", "r", "a", "l", "issuer", "policies", "image", "uid", "pid", "oid"]
        parameters = parameters.map { name, value in
            guard binary.contains(name), let bytes = Data(anyBase64: value) else { return (name, value) }
            return (name, Self.encoded(bytes.base64EncodedString()))
        }
    }

    private mutating func replace(_ name: String, _ value: String?) {
        parameters.removeAll { $0.name == name }
        if let value { parameters.append((name, Self.encoded(value))) }
    }

    private static func encoded(_ value: String) -> String {
        var plain = CharacterSet.alphanumerics
        plain.insert(charactersIn: "-._~")
        return value.addingPercentEncoding(withAllowedCharacters: plain) ?? value
    }
}

extension StepPlayer {
    /// Migrates the legacy store of the step, and registers the store's devices with the server.
    ///
    /// The store is a file, or has a single sample account.
    func migrated(_ migrate: Step.Migrate) throws -> [[Delivery]] {
        if let file = migrate.file { return try migrated(file, as: migrate.credential) }
        let id = "legacy-\(migrate.credential)"
        let account = AccountKey(
            issuer: "Example",
            accountName: migrate.account ?? migrate.credential
        )
        var chance = Chance(seed: migrate.credential.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        let secret = chance.secret()
        credentials[migrate.credential] = id
        accounts[migrate.credential] = account
        signers[migrate.credential] = secret
        environment.server.withService { service in
            service.add(
                SimulatedDevice(
                    mechanismUid: id,
                    sharedSecret: secret,
                    deviceToken: migrate.token ?? "00",
                    account: account,
                    realm: "/alpha"
                )
            )
        }
        var archives = try archives(of: migrate, id: id, account: account, secret: secret)
        if let push = migrate.push { archives.append(LegacyArchive(try waitingPush(push, of: id))) }
        let items = archives.enumerated().map { index, archive in
            LegacyItem(
                position: .index(index),
                service: archive.service,
                key: archive.key,
                payload: .archive(archive.data)
            )
        }
        let receipt = try receipt(ofMigrating: MemoryLegacySource(items))
        let outcomes = receipt.records.map { JSONValue.string($0.result.outcome.rawValue) }
        return [[Delivery(.returned, .value(.array(outcomes)))]]
    }

    /// Migrates a legacy store.
    ///
    /// If the side works in place, the items of the earlier release are only restored, and nothing is
    /// migrated.
    ///
    /// - Returns: The receipt. If the side works in place, it contains the outcomes that a migration would have.
    private func receipt(ofMigrating legacy: any LegacySource) throws -> MigrationReceipt {
        guard let keychain = environment.keychain else {
            return try CredentialMigration(from: .store(legacy), to: environment.storeOfSide)
                .migrate(progress: environment.options.progress)
        }
        try keychain.install(legacy)
        return try CredentialMigration(from: .store(legacy), to: MemoryCredentialStore()).migrate()
    }

    /// Migrates a legacy store in a file, and registers its devices with the server as if the server had enrolled
    /// them.
    private func migrated(_ file: String, as name: String) throws -> [[Delivery]] {
        let url = try environment.options.file(file)
        let receipt: MigrationReceipt
        do {
            receipt = try self.receipt(ofMigrating: LegacyFile.open(url))
        } catch let error as LegacyStoreError {
            // The path is hidden, because the lab stores the file in a private folder that means nothing to
            // the user.
            let reason = error.reason.replacingOccurrences(of: url.path, with: "it")
            throw ParityError(code: .invalidStep, reason: "\(file) is not migrated: \(reason)")
        } catch let error as StoreError {
            return [
                [
                    Delivery(
                        .returned,
                        .failure(Failure(Failure.name(of: error), subject: error.code.rawValue))
                    )
                ]
            ]
        }
        environment.options.migrated(receipt)
        let contents = try environment.contents()
        let known = Set(credentials.values)
        var number = 1
        func enter(_ id: String, _ account: AccountKey) -> String {
            let entered = number == 1 ? name : "\(name)-\(number)"
            number += 1
            credentials[entered] = id
            accounts[entered] = account
            // In place, a one-time-password credential does not have the id that it has on the async side. Without a
            // common name, the ids would count as a difference.
            self.name(id, as: "\(entered).id")
            return entered
        }
        for credential in contents.pushCredentials.sorted(by: { $0.id < $1.id })
        where !known.contains(credential.id) {
            let entered = enter(credential.id, credential.account.key)
            signers[entered] = credential.sharedSecret
            environment.server.enter(credential, token: contents.deviceToken?.tokenId)
        }
        let accountsOfPush = Set(contents.pushCredentials.map(\.account.key))
        for credential in contents.oathCredentials.sorted(by: { $0.id < $1.id })
        where !known.contains(credential.id) && !accountsOfPush.contains(credential.account.key) {
            _ = enter(credential.id, credential.account.key)
        }
        let outcomes = receipt.records.map { JSONValue.string($0.result.outcome.rawValue) }
        return [[Delivery(.returned, .value(.array(outcomes)))]]
    }

    /// Creates a push on the server, and returns it in the legacy SDK's form.
    ///
    /// The server still expects an answer to this push.
    private func waitingPush(_ push: String, of id: String) throws -> PushNotification {
        let delivery = try environment.server.createPush(PushOrder(mechanismUid: id))
        name(delivery.messageId, as: push)
        messages[push] = (delivery.messageId, delivery.payload)
        pushOrder.append(push)
        return PushNotification(
            mechanismUUID: id,
            messageId: delivery.messageId,
            challenge: delivery.challenge,
            ttl: 120,
            timeAdded: environment.phone.now
        )
    }

    private func archives(
        of migrate: Step.Migrate,
        id: String,
        account: AccountKey,
        secret: SharedSecret
    ) throws -> [LegacyArchive] {
        var profile = AccountProfile(issuer: account.issuer, accountName: account.accountName)
        profile.customDisplayIssuer = migrate.displayIssuer
        let now = environment.phone.now
        let text = secret.withUnsafeBytes { bytes in
            migrate.standardBase64 == true ? Data(bytes).base64EncodedString() : Data(bytes).base64URLText
        }
        guard let spelling = SharedSecret(utf8: text) else {
            throw ParityError(code: .notPlayable, reason: "The secret cannot be written as text.")
        }
        let push = LegacyArchive(
            push: LegacyArchive.Mechanism(id: id, account: account, secret: spelling, timeAdded: now),
            service: "\(environment.server.base)/json/alpha/push/sns/message",
            challenge: SharedSecret(utf8: "Y2hhbGxlbmdl")
        )
        let token = migrate.token.map { LegacyArchive(PushDeviceToken(tokenId: $0, createdAt: now)) }
        return [LegacyArchive(profile, timeAdded: now), push] + [token].compactMap { $0 }
    }
}

extension Simulator {
    /// Registers the device of a credential with the server if the credential's address is the address of a push
    /// service.
    fileprivate func enter(_ credential: PushCredential, token: String?) {
        guard let realm = Realm(address: credential.authenticationEndpoint) else { return }
        withService { service in
            service.settings.realms.insert(realm)
            var device = SimulatedDevice(
                mechanismUid: credential.id,
                sharedSecret: credential.sharedSecret,
                deviceToken: token ?? "00",
                account: credential.account.key,
                realm: realm
            )
            device.userId = credential.userId
            service.add(device)
        }
    }
}
