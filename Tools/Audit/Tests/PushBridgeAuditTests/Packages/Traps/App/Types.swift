// swift-format-ignore-file
import FRAuthenticator
import FRCore

typealias AppAccount = FRAuthenticator.Account  //= Account
typealias Customer = AppAccount  //= Account as AppAccount
typealias Accounts = [Account]  //= Account
typealias Handler = (Mechanism) -> Void  //= Mechanism
typealias ByName<Key: Hashable> = [Key: Account]  //= Account

struct Box<Content> {
    typealias Inner = Account  //= Account
    var content: Content
    var inner: Inner?  //= Account as Inner
}

func aliased(_ first: AppAccount, _ second: Customer, _ list: Accounts) -> Handler? {  //= Account as AppAccount, Account as Customer
    _ = first.issuer + second.identifier  //= Account.issuer, Account.identifier
    _ = list.first?.issuer  //= Account.issuer
    _ = AppAccount()  //= Account.init() as AppAccount
    return nil
}

func generic<T: FRAPolicy>(_ policy: T, _ list: [Box<Account>]) -> Bool where T: AnyObject {  //= FRAPolicy, Account
    policy.evaluate() && list.allSatisfy { $0.content.lock }  //= FRAPolicy.evaluate(), Account.lock
}

func erased(_ policy: (any FRAPolicy)?, _ some: some FRAPolicy) -> [Any.Type] {  //= FRAPolicy, FRAPolicy
    _ = policy?.name  //= FRAPolicy.name
    return [Account.self, [Mechanism].self, (any FRAPolicy).self]  //= Account, Mechanism, FRAPolicy
}

extension Array where Element == Account {  //= Account
    var issuers: [String] { map(\.issuer) }  //= Account.issuer
}

extension Account {  //= Account
    var shown: String { displayIssuer ?? issuer }  //= Account.displayIssuer, Account.issuer
    func locked() -> Bool { lock }  //= Account.lock
}

extension FRAPolicy {  //= FRAPolicy
    func twice() -> Bool { evaluate() && evaluate() }  //= FRAPolicy.evaluate(), FRAPolicy.evaluate()
}

extension String {
    func base64Encoded(times: Int) -> String? { base64Encoded() }  //= String.base64Encoded()
}

func extended(_ account: Account, _ policy: any FRAPolicy, _ list: [Account]) {  //= Account, FRAPolicy, Account
    _ = account.shown
    _ = account.locked()
    _ = policy.twice()
    _ = list.issuers
    _ = "x".base64Encoded(times: 2)
}
