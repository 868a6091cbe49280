import Foundation
import PushBridgeCore

/// A one-time-password credential; its members are named as the new API names them.
struct OathCredentialForm: KeychainForm {
    static let noun = "one-time-password credential"

    private let account: AccountForm
    private let members: Members

    static func service(in services: KeychainServices) -> String { services.oathCredentials }

    init(_ credential: OathCredential) {
        account = AccountForm(credential.account)
        members = Members(credential)
    }

    init(from decoder: any Decoder) throws {
        account = try AccountForm(from: decoder)
        members = try Members(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try account.encode(to: encoder)
        try members.encode(to: encoder)
    }

    func value(under id: String) -> OathCredential? {
        guard members.id == id, let password = members.password, let factor = members.movingFactor else {
            return nil
        }
        var credential = OathCredential(
            id: members.id,
            account: account.account(members.chosenNames),
            password: password,
            movingFactor: factor,
            createdAt: members.createdAt.date
        )
        credential.userId = members.userId
        credential.resourceId = members.resourceId
        credential.legacy = members.legacy?.details
        return credential
    }
}

private struct Members: Codable {
    let id: String
    let userId: String?
    let resourceId: String?
    let secret: Data
    let oathAlgorithm: String
    let digits: Int
    let period: Int?
    let counter: Int?
    let createdAt: ExactDate
    let chosenNames: ChosenNames
    let legacy: LegacyDetailsForm?

    init(_ credential: OathCredential) {
        id = credential.id
        userId = credential.userId
        resourceId = credential.resourceId
        secret = credential.password.secret.stored
        oathAlgorithm = credential.oathAlgorithm.rawValue
        digits = credential.digits
        switch credential.movingFactor {
        case .time(let period): (self.period, counter) = (period, nil)
        case .counter(let counter): (period, self.counter) = (nil, counter)
        }
        createdAt = ExactDate(credential.createdAt)
        chosenNames = ChosenNames(credential.account)
        legacy = credential.legacy.map(LegacyDetailsForm.init)
    }

    var movingFactor: OathMovingFactor? {
        switch (period, counter) {
        case (let period?, nil): .time(period: period)
        case (nil, let counter?): .counter(counter)
        default: nil
        }
    }

    var password: OneTimePassword? {
        guard let secret = SharedSecret(bytes: secret), let algorithm = OathAlgorithm(rawValue: oathAlgorithm)
        else { return nil }
        do {
            return try OneTimePassword(secret: secret, algorithm: algorithm, digits: digits)
        } catch {
            return nil
        }
    }
}
