import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyStore
@_spi(PushBridgeTools) import PingAMSimulator
import PushBridgeCore

extension Play {
    /// Migrates a legacy store of one account, whose device the server learns of.
    func migrated(_ migrate: Step.Migrate) throws -> [[Delivery]] {
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
        world.server.withService { service in
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
        var records = try records(of: migrate, id: id, account: account, secret: secret)
        if let push = migrate.push { records.append(.notification(try waitingPush(push, of: id))) }
        let items = records.enumerated().map { index, record in
            LegacyItem(
                position: .index(index),
                service: record.service,
                key: record.identifier,
                payload: .archive(record.keyedArchive)
            )
        }
        let migration = CredentialMigration(from: .store(MemoryLegacySource(items)), to: world.storeOfSide)
        let receipt = try migration.apply(try migration.plan())
        let outcomes = receipt.records.map { JSONValue.string($0.result.outcome.rawValue) }
        return [[Delivery(.returned, .value(.array(outcomes)))]]
    }

    /// A push as the legacy SDK stored it, which the server waits for.
    private func waitingPush(_ push: String, of id: String) throws -> LegacyNotification {
        let delivery = try world.server.createPush(PushOrder(mechanismUid: id))
        name(delivery.messageId, as: push)
        messages[push] = (delivery.messageId, delivery.payload)
        return LegacyNotification(
            message: PushMessage(id: delivery.messageId, challenge: delivery.challenge),
            mechanismUUID: id,
            ttl: 120,
            timeAdded: world.phone.now
        )
    }

    private func records(
        of migrate: Step.Migrate,
        id: String,
        account: AccountKey,
        secret: SharedSecret
    ) throws -> [LegacyRecord] {
        var profile = AccountProfile(issuer: account.issuer, accountName: account.accountName)
        profile.customDisplayIssuer = migrate.displayIssuer
        let now = world.phone.now
        let text = secret.withUnsafeBytes { bytes in
            migrate.standardBase64 == true ? Data(bytes).base64EncodedString() : Base64.encodeURLSafe(bytes)
        }
        guard let spelling = SharedSecret(utf8: text) else {
            throw ParityError(code: .notPlayable, reason: "The secret cannot be spelled.")
        }
        let service = "\(world.server.base)/json/alpha/push/sns/message?_action"
        var mechanism = LegacyMechanism(
            mechanismUUID: id,
            account: account,
            secret: spelling,
            timeAdded: now,
            factor: .push(
                LegacyPushParameters(
                    registrationEndpoint: "\(service)=register",
                    authenticationEndpoint: "\(service)=authenticate",
                    registration: LegacyRegistration(
                        messageId: "REGISTER:\(id)",
                        challenge: SharedSecret(utf8: "Y2hhbGxlbmdl"),
                        loadBalancer: "amlbcookie=01"
                    )
                )
            )
        )
        mechanism.version = 1
        let token = migrate.token.map {
            LegacyRecord.deviceToken(PushDeviceToken(tokenId: $0, createdAt: now))
        }
        return [.account(LegacyAccount(profile: profile, timeAdded: now)), .mechanism(mechanism)]
            + [token].compactMap { $0 }
    }
}
