// swift-format-ignore-file
@objc public protocol FRAPolicy {
    func evaluate() -> Int
}

@objc open class Account {
    @objc public var timeAdded = 0
    @objc open func lock(policy: any FRAPolicy) {}
    public func toJson() -> Int { 0 }
}

@objc open class FRAClient {
    @objc public static func start() {}
    @objc public func removeAccount(account: Account) -> Int { 1 }
}
