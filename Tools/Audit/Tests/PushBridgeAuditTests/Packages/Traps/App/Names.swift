// swift-format-ignore-file
// Legacy names that mean other symbols do not count. The marks list the uses in a line from left to right.
import Elsewhere
import class FRAuthenticator.Mechanism  //= Mechanism
import enum FRAuthenticator.MechanismError  //= MechanismError

private struct PushNotification {
    var message: String?
    func accept(onSuccess: () -> Void) { onSuccess() }
}

func otherAccount(_ account: Elsewhere.Account, _ client: FRAClientStandIn) -> [String] {
    account.lock()
    FRAClientStandIn.start()
    PushNotification(message: "FRAClient.start()").accept(onSuccess: {})
    return client.getAllAccounts().map(\.issuer) + ["x".base64Encoded(true)]
}

func shadowed(_ mechanism: Mechanism) -> String {  //= Mechanism
    let issuer = mechanism.issuer  //= Mechanism.issuer
    struct Mechanism {
        var issuer: String
    }
    let local = Mechanism(issuer: issuer)
    return local.issuer + issuer
}

enum OwnError: Error {
    case alreadyExists(String)
}

func thrower(_ isOwn: Bool) throws {
    if isOwn { throw OwnError.alreadyExists("") }
    throw MechanismError.alreadyExists("")  //= MechanismError, MechanismError.alreadyExists(_:)
}
