#pragma once
// A replacement for the header that the compiler writes for the legacy SDK's Swift module, with the SDK's names.
#pragma clang attribute push(__attribute__((external_source_symbol(language="Swift", defined_in="FRAuthenticator", generated_declaration))), apply_to=any(function, enum, objc_interface, objc_category, objc_protocol))
@class Account;
typedef enum PushType : long PushType;
enum PushType : long { PushTypeDefault = 0, PushTypeChallenge = 1 };
__attribute__((objc_root_class)) @interface Root
@end
@protocol FRAPolicy
- (int)evaluate;
@end
@interface Account : Root
@property (nonatomic, readonly, copy) id issuer;
@property (nonatomic, copy) id displayIssuer;
- (void)lockWithPolicy:(id)policy;
@end
@interface PushNotification : Root
- (void)acceptOnSuccess:(void (^)(void))onSuccess onError:(void (^)(id))onError;
@end
@interface FRAClient : Root
@property (class, nonatomic, strong) FRAClient *shared;
+ (void)start;
- (id)getAllAccounts;
- (int)removeAccountWithAccount:(Account *)account;
@end
@interface FRAClient (FRAuthenticator)
- (Account *)getAccountWithIdentifier:(id)identifier;
@end
#pragma clang attribute pop
