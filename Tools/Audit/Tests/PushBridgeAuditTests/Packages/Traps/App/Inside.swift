// swift-format-ignore-file
import Observation

@testable import FRAuthenticator

func inside(_ account: Account) {  //= Account
    account.secretNote = "x"  //= Account.secretNote
}

// The macro's own output names the type as well; what the file says counts.
@Observable final class Model {
    var account: Account? = nil  //= Account
    func issuer() -> String? { account?.issuer }  //= Account.issuer
}
