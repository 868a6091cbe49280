// swift-format-ignore-file
import Observation

@testable import FRAuthenticator

func inside(_ account: Account) {  //= Account
    account.secretNote = "x"  //= Account.secretNote
}

// The macro's output also names the type; only the written code counts.
@Observable final class Model {
    var account: Account? = nil  //= Account
    func issuer() -> String? { account?.issuer }  //= Account.issuer
}
