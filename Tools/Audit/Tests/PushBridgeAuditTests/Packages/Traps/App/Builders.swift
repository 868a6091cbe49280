// swift-format-ignore-file
import FRAuthenticator

@resultBuilder enum Rows {
    static func buildExpression(_ account: Account) -> [String] { [account.issuer] }  //= Account, Account.issuer
    static func buildExpression(_ text: String) -> [String] { [text] }
    static func buildBlock(_ parts: [String]...) -> [String] { parts.flatMap { $0 } }
    static func buildOptional(_ part: [String]?) -> [String] { part ?? [] }
    static func buildEither(first: [String]) -> [String] { first }
    static func buildEither(second: [String]) -> [String] { second }
    static func buildArray(_ parts: [[String]]) -> [String] { parts.flatMap { $0 } }
}

func rows(@Rows _ content: () -> [String]) -> [String] { content() }

struct List {
    let accounts: [Account]  //= Account
    @Rows var body: [String] {
        Account()  //= Account.init()
        if let first = accounts.first, first.lock {  //= Account.lock
            first.issuer  //= Account.issuer
        } else {
            FRAClient.shared?.getAllAccounts().first?.identifier ?? ""  //= FRAClient, FRAClient.shared, FRAClient.getAllAccounts(), Account.identifier
        }
        for account in accounts {
            account.displayIssuer ?? ""  //= Account.displayIssuer
        }
    }
    func nested() -> [String] {
        rows {
            rows { accounts[0] }.joined()
            rows { accounts[0].issuer }.joined()  //= Account.issuer
        }
    }
}

@propertyWrapper struct Kept<Value> {
    var wrappedValue: Value
    var projectedValue: Kept<Value> { self }
    var source: FRAClient?  //= FRAClient
    init(wrappedValue: Value, _ source: FRAClient? = FRAClient.shared) {  //= FRAClient, FRAClient, FRAClient.shared
        self.wrappedValue = wrappedValue
        self.source = source
    }
}

@propertyWrapper struct Plain { var wrappedValue: Mechanism? }  //= Mechanism

struct Holder {
    @Kept var account = Account()  //= Account.init()
    @Kept(FRAClient.shared) var other: Account = Account()  //= FRAClient, FRAClient.shared, Account, Account.init()
    @Kept<[Mechanism]> var list = []  //= Mechanism
    @Plain var mechanism
    func show(@Plain _ item: Mechanism?) -> String {  //= Mechanism
        _ = item?.issuer  //= Mechanism.issuer
        _ = $account.wrappedValue.issuer  //= Account.issuer
        _ = $account.source?.getAllAccounts()  //= FRAClient.getAllAccounts()
        _ = _other.wrappedValue.lock  //= Account.lock
        return mechanism?.mechanismUUID ?? account.issuer  //= Mechanism.mechanismUUID, Account.issuer
    }
    mutating func change() {
        account.issuer = "x"  //= Account.issuer
        _ = show(nil)
        other.issuer.append("x")  //= Account.issuer
    }
}

@dynamicMemberLookup struct Lens {
    let account: Account  //= Account
    subscript<T>(dynamicMember path: KeyPath<Account, T>) -> T { account[keyPath: path] }  //= Account
}

func lens(_ lens: Lens) -> String {
    _ = lens.lock  //= Account.lock
    return lens.displayIssuer ?? lens.issuer  //= Account.displayIssuer, Account.issuer
}
