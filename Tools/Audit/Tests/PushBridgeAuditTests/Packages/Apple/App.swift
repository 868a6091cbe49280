// swift-format-ignore-file
import FRAuthenticator

class Own: Account, FRAPolicy {  //= Account, FRAPolicy
    func evaluate() -> Int { 1 }  //= FRAPolicy.evaluate()
    static func make() -> any FRAPolicy { fatalError() }  //= FRAPolicy
    override func lock(policy: any FRAPolicy) { super.lock(policy: policy) }  //= Account.lock(policy:), FRAPolicy, Account.lock(policy:)
}

extension Account {  //= Account
    @objc func show() { timeAdded = 1 }  //= Account.timeAdded
}

func use(_ account: Account, _ client: FRAClient) {  //= Account, FRAClient
    FRAClient.start()  //= FRAClient, FRAClient.start()
    _ = client.removeAccount(account: account)  //= FRAClient.removeAccount(account:)
    _ = account.toJson() + account.timeAdded  //= Account.toJson(), Account.timeAdded
    account.show()
    (account as? Own)?.lock(policy: Own.make())
}
