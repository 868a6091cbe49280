import FRAuthenticator
import PingPush
import Testing

#if compiler(>=6.3)
/// If a file imports both APIs, a module selector chooses between two declarations with the same name.
@Test func aModuleSelectorChoosesOneOfTwoTypesWithTheSameName() {
    let types: [any Any.Type] = [PingPush::PushNotification.self, FRAuthenticator::PushNotification.self]
    #expect(types.map { $0 is AnyClass } == [false, true])
}
#endif
