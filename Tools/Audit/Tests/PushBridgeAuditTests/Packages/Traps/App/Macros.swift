// swift-format-ignore-file
import FRAuthenticator
import Foundation
import Observation
import Testing

@Observable final class ViewModel {
    var list: [Account] = []  //= Account
    @ObservationIgnored var client = FRAClient.shared  //= FRAClient, FRAClient.shared
    init(_ first: Account) { list = [first] }  //= Account
}

@Suite struct Facts {
    @Test(arguments: [Account(), Account()]) func fact(_ account: Account) throws {  //= Account.init(), Account.init(), Account
        #expect(account.issuer == "x")  //= Account.issuer
        #expect(account.lock)  //= Account.lock
        #expect(!account.issuer.isEmpty, "\(account.identifier)")  //= Account.issuer, Account.identifier
        let client = try #require(FRAClient.shared)  //= FRAClient, FRAClient.shared
        #expect(throws: MechanismError.self) { throw MechanismError.invalidQRCode }  //= MechanismError, MechanismError, MechanismError.invalidQRCode
        #expect(client.getAllAccounts().contains { $0.issuer == "y" })  //= FRAClient.getAllAccounts(), Account.issuer
        #expect(account == Account())  //= Account.==(_:_:), Account.init()
    }
}

@TaskLocal var current: Account?  //= Account

enum Tasks { @TaskLocal static var mechanism: Mechanism? }  //= Mechanism

func locals() { _ = Tasks.mechanism?.issuer; _ = current?.issuer }  //= Mechanism.issuer, Account.issuer

func predicate() throws {
    _ = #Predicate<OathTokenCode> { $0.code == "x" }  //= OathTokenCode, OathTokenCode.code
}
